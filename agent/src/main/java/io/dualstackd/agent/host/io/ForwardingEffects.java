package io.dualstackd.agent.host.io;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The settings that the kernel changes, too, when forwarding of all interfaces is written. With 1 it sets {@code forwarding} of each
 * interface to 1, and in IPv4 {@code accept_redirects} of {@code all} to 0; with 0 it does the opposite, and in IPv6 sets {@code
 * force_forwarding} of each interface to 0.
 */
final class ForwardingEffects {
    private static final String IPV4 = "net/ipv4/conf";
    private static final String IPV6 = "net/ipv6/conf";
    private static final String REDIRECTS = IPV4 + "/all/accept_redirects";

    private ForwardingEffects() {}

    /** Those that writing 1 and later 0 would leave with another value, with their current values; none for another key. */
    static Map<String, String> before(NetNs ns, String key) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        if (key.equals(Forwarding.key(IpFamily.IPV4))) {
            ones(ns, IPV4, "forwarding", values);
            if (Sysctl.read(ns, REDIRECTS).equals("0")) {
                values.put(REDIRECTS, "0");
            }
        } else if (key.equals(Forwarding.key(IpFamily.IPV6))) {
            ones(ns, IPV6, "forwarding", values);
        }
        return values;
    }

    /**
     * The values to write after forwarding of all interfaces: what was recorded before the first change and was not changed since, and what
     * another program may have changed since.
     */
    static Map<String, String> after(NetNs ns, String key, Map<String, String> recorded) throws IOException {
        Map<String, String> values = new LinkedHashMap<>(before(ns, key));
        values.keySet().removeIf(other -> !recorded.containsKey(other));
        if (key.equals(Forwarding.key(IpFamily.IPV6))) {
            ones(ns, IPV6, "force_forwarding", values);
        }
        return values;
    }

    private static void ones(NetNs ns, String folder, String setting, Map<String, String> to) throws IOException {
        Set<String> names = Sysctl.interfaces(ns, folder, setting, "1");
        // The setting itself.
        names.remove("all");
        names.forEach(name -> to.put(folder + "/" + name + "/" + setting, "1"));
    }
}
