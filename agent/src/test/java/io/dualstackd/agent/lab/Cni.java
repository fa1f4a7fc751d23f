package io.dualstackd.agent.lab;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** How pods get their network: which plugin wires them, and from which families {@code host-local} gives addresses. */
public record Cni(Plugin plugin, Set<IpFamily> families) {
    public enum Plugin {
        BRIDGE,
        PTP
    }

    public static Cni dualStack(Plugin plugin) {
        return new Cni(plugin, EnumSet.allOf(IpFamily.class));
    }

    public static Cni only(Plugin plugin, IpFamily family) {
        return new Cni(plugin, EnumSet.of(family));
    }

    /** Where this node's pods get their addresses from. */
    public static IpPrefix podCidr(IpFamily family) {
        return IpPrefix.parse(family == IpFamily.IPV4 ? "10.244.1.0/24" : "fd00:10:244:1::/64");
    }

    /** The text of a {@code .conflist}; one set of ranges per family means one address of each. */
    public String text() {
        String ranges = families.stream()
                .map(family -> "[{\"subnet\": \"" + podCidr(family) + "\"}]")
                .collect(Collectors.joining(", "));
        String routes = families.stream()
                .map(family -> "{\"dst\": \"" + (family == IpFamily.IPV4 ? "0.0.0.0/0" : "::/0") + "\"}")
                .collect(Collectors.joining(", "));
        String wiring = plugin == Plugin.BRIDGE ? """
                 "bridge": "cni0", "isGateway": true, "hairpinMode": true,""" : "";
        return """
                {"cniVersion": "1.0.0", "name": "lab", "plugins": [
                  {"type": "%s",%s "ipMasq": false,
                   "ipam": {"type": "host-local", "dataDir": "/run/ipam", "ranges": [%s], "routes": [%s]}}]}
                """.formatted(plugin.name().toLowerCase(Locale.ROOT), wiring, ranges, routes);
    }
}
