package io.dualstackd.agent;

import io.dualstackd.netlink.io.IpSetClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a kube-proxy in IPVS mode left: the link that holds the addresses of Services, its ipsets, its virtual servers. */
final class IpvsLeftovers {
    private static final String LINK = "kube-ipvs0";
    private static final Path SERVERS = Path.of("/proc/thread-self/net/ip_vs");

    /** Two lines of headings; then one for each virtual server, and one for each place it sends to. */
    private static final int HEADINGS = 3;

    private IpvsLeftovers() {}

    /**
     * What became of it.
     *
     * @param removed what was there and is gone
     * @param failed what is still there, why, and what to do
     */
    record Outcome(List<String> removed, List<String> failed) {}

    /** Removes them; to be called when no rule uses the sets any more. */
    static Outcome remove(NetNs ns) {
        List<String> removed = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        try (RouteClient routes = RouteClient.open(ns)) {
            Optional<Link> link = routes.link(LINK);
            if (link.isPresent()) {
                routes.deleteLink(link.get().index());
                removed.add("link " + LINK);
            }
        } catch (NetlinkException e) {
            failed.add("link " + LINK + ": " + e.getMessage());
        }
        sets(ns, removed, failed);
        if (hasServers(ns)) {
            failed.add("virtual servers of IPVS stay, as a kube-proxy's cannot be told from those of others;"
                    + " if nobody else uses IPVS here, run: ipvsadm --clear");
        }
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

    /** Network policies have sets of that beginning, too, but in small letters behind it. */
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
