package io.dualstackd.agent;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** Which IP families a network namespace has. IPv4 is always there. */
final class FamilySupport {
    private static final Path IPV6_ADDRESSES = Path.of("/proc/thread-self/net/if_inet6");
    private static final String DISABLED = "net/ipv6/conf/all/disable_ipv6";

    private FamilySupport() {}

    /** The families that are missing, and why. */
    static Map<IpFamily, String> missing(NetNs ns) throws IOException {
        Map<IpFamily, String> missing = new EnumMap<>(IpFamily.class);
        if (!hasAddressFile(ns)) {
            missing.put(IpFamily.IPV6, "the kernel was started without IPv6");
        } else if (isDisabled(ns)) {
            missing.put(IpFamily.IPV6, "net.ipv6.conf.all.disable_ipv6 is 1");
        }
        return missing;
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
