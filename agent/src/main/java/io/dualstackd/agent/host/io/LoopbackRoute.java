package io.dualstackd.agent.host.io;

import io.dualstackd.agent.config.Key;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeViews;
import io.dualstackd.node.OwnAddresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kernel setting behind node ports on 127.0.0.1. Without it the kernel drops packets from 127.0.0.0/8 that are forwarded to a pod; with
 * it, packets from a neighbour on the link to 127.0.0.0/8 arrive, unless a rule guards that network.
 */
final class LoopbackRoute {
    private static final String ROUTE_LOCALNET = "net/ipv4/conf/all/route_localnet";

    private static final Path LINKS = Path.of("/proc/sys/net/ipv4/conf");
    private static final int ATTEMPTS = 4;

    private LoopbackRoute() {}

    /**
     * Enables it where node ports answer on 127.0.0.1. It is never disabled while the daemon runs: other programs may need it, too.
     *
     * @return why it stays disabled; empty when it is enabled or not wanted
     */
    static Optional<String> open(KernelSettings kernel, NodeSettings node) {
        if (!isWanted(node)) {
            return Optional.empty();
        }
        try {
            kernel.set(ROUTE_LOCALNET, "1", "localhost-node-ports");
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(ROUTE_LOCALNET.replace('/', '.') + " cannot be set to 1 (" + ConntrackSettings.reason(e)
                    + "): node ports do not answer on 127.0.0.1; set it on the host, or "
                    + Key.LOCALHOST_NODE_PORTS.path() + " to false");
        }
    }

    /** Whether the kernel routes 127.0.0.0/8 on any link; true when that cannot be read. */
    static boolean isOpen(NetNs ns) {
        try {
            return ns.call(() -> {
                try (Stream<Path> links = Files.list(LINKS)) {
                    for (Path link : links.toList()) {
                        if (isOpen(ns, link)) {
                            return true;
                        }
                    }
                    return false;
                }
            });
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            return true;
        }
    }

    /** A link may be removed meanwhile, as links of pods often are, and one of the same name made. */
    private static boolean isOpen(NetNs ns, Path link) throws IOException {
        for (int i = 1; ; i++) {
            try {
                return Sysctl.read(ns, "net/ipv4/conf/" + link.getFileName() + "/route_localnet")
                        .equals("1");
            } catch (NoSuchFileException e) {
                return false;
            } catch (IOException e) {
                // Thrown once when the link is removed between opening the file and reading it.
                if (i == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** The planner writes the guard by the same condition; only "primary" may change its result when the Node object arrives. */
    static boolean isWanted(NodeSettings node) {
        return !(node.nodePortAddresses() instanceof NodePortAddresses.Primary)
                && NodePlanner.plan(NodeViews.of(node, Optional.empty(), OwnAddresses.NONE, List.of(), IpFamily.IPV4))
                        .guardLoopback();
    }
}
