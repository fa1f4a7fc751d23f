package io.dualstackd.agent.host.io;

import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The IP families of a network namespace. IPv4 is always there. */
public final class FamilySupport {
    private static final Path IPV6_ADDRESSES = Path.of("/proc/thread-self/net/if_inet6");
    private static final String DISABLED = "net/ipv6/conf/all/disable_ipv6";

    private FamilySupport() {}

    /** The families that are missing, and why. */
    public static Map<IpFamily, String> missing(NetNs ns) throws IOException {
        Map<IpFamily, String> missing = new EnumMap<>(IpFamily.class);
        if (!hasAddressFile(ns)) {
            missing.put(IpFamily.IPV6, "the kernel was started without IPv6");
        } else if (isDisabled(ns)) {
            missing.put(IpFamily.IPV6, "net.ipv6.conf.all.disable_ipv6 is 1");
        }
        return missing;
    }

    /** Why nothing can work with the families that are there; empty when it can. */
    public static Optional<String> problem(DaemonSettings settings) {
        NodeSettings node = settings.node();
        Optional<IpFamily> primary = node.bindAddresses().stream()
                .findFirst()
                .map(Ip::family)
                .or(() -> node.given().map(ips -> ips.first().family()))
                .filter(settings.missing()::containsKey);
        if (primary.isPresent()) {
            return Optional.of(
                    "the node's primary IP is to be an " + primary.get() + " address, and this host has none ("
                            + settings.missing().get(primary.get()) + "); see --node-ips and --bind-address");
        }
        if (node.detectLocal() instanceof DetectLocal.ClusterCidr(List<IpPrefix> networks)
                && !networks.isEmpty()
                && networks.stream().noneMatch(network -> settings.families().contains(network.family()))) {
            return Optional.of("clusterCIDR " + networks.getFirst() + " is of a family this host does not have ("
                    + String.join(", ", settings.missing().values()) + ")");
        }
        return Optional.empty();
    }

    private static boolean hasAddressFile(NetNs ns) throws IOException {
        try {
            return ns.call(() -> Files.exists(IPV6_ADDRESSES));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    private static boolean isDisabled(NetNs ns) {
        try {
            return Sysctl.read(ns, DISABLED).equals("1");
        } catch (IOException e) {
            return false;
        }
    }
}
