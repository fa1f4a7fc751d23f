package io.dualstackd.agent.host.io;

import io.dualstackd.dataplane.io.ipvs.IpvsCleanup;
import io.dualstackd.netlink.io.IpSetClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leftovers of a kube-proxy in IPVS mode: the link that has the addresses of Services, its ipsets, its virtual servers. */
final class IpvsLeftovers {
    private static final String LINK = "kube-ipvs0";
    private static final Logger LOG = LoggerFactory.getLogger("leftovers");
    private static final Path SERVERS = Path.of("/proc/thread-self/net/ip_vs");

    /** Three lines of headings; then one for each virtual server, and one for each destination. */
    private static final int HEADINGS = 3;

    private IpvsLeftovers() {}

    /**
     * The result of the removal.
     *
     * @param removed what was there and is gone
     * @param failed what is still there, why, and what to do
     */
    record Outcome(List<String> removed, List<String> failed) {}

    /**
     * Removes them; to be called when no rule uses the sets any more.
     *
     * @param excluded virtual servers on these networks belong to other programs
     */
    static Outcome remove(NetNs ns, List<IpPrefix> excluded) {
        List<String> removed = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        try {
            IpvsCleanup.Removed gone = IpvsCleanup.clean(NetlinkSockets.of(ns), hasServers(ns), excluded);
            if (gone.link()) {
                removed.add("link " + LINK);
            }
            if (gone.servers() > 0) {
                removed.add(gone.servers() + " virtual servers");
            }
            // Reported only where we removed something: other virtual servers do not concern us.
            if (!gone.kept().isEmpty() && gone.link()) {
                LOG.info("virtual servers of other programs kept servers=\"{}\"", String.join(", ", gone.kept()));
            }
        } catch (NetlinkException e) {
            failed.add("link " + LINK + " and virtual servers: " + e.getMessage());
        }
        sets(ns, removed, failed);
        return new Outcome(List.copyOf(removed), List.copyOf(failed));
    }

    private static void sets(NetNs ns, List<String> removed, List<String> failed) {
        try (IpSetClient kernel = IpSetClient.open(ns)) {
            for (String name : kernel.names()) {
                if (isKubeProxys(name)) {
                    try {
                        kernel.destroy(name);
                        removed.add("ipset " + name);
                    } catch (NetlinkException e) {
                        failed.add("ipset " + name + ": " + e.getMessage());
                    }
                }
            }
        } catch (NetlinkException e) {
            failed.add("ipsets: " + e.getMessage());
        }
    }

    /** Network policies have sets with the same prefix, too, but with lower-case letters behind it. */
    private static boolean isKubeProxys(String name) {
        return name.matches(
                "KUBE-(6-)?(LOOP-BACK|CLUSTER-IP|LOAD-BALANCER.*|EXTERNAL-IP.*|NODE-PORT.*|HEALTH-CHECK-NODE-PORT|IPVS-IPS)");
    }

    private static boolean hasServers(NetNs ns) {
        try {
            return ns.call(() -> Files.readAllLines(SERVERS).size() > HEADINGS);
        } catch (IOException e) {
            return false;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }
}
