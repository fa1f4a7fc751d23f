package io.dualstackd.agent.app;

import io.dualstackd.agent.host.io.HostNetworks;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NetworkOverlaps;
import io.dualstackd.node.NetworkOverlaps.Network;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares the networks of Services with those of pods, of this node and of its routes, and reports which overlap. */
public final class NetworkNotes {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    /** Routes are not followed, but read again after this time. */
    private static final Duration AGAIN = Duration.ofMinutes(10);

    /**
     * The networks to compare, as they are now.
     *
     * @param serviceCidrs networks of Services
     * @param podCidrs networks of this node's pods from the configuration
     * @param node this node's object
     * @param settings in force
     * @param addresses of this node
     */
    public record Sources(
            Supplier<List<ServiceCidr>> serviceCidrs,
            PodCidrs podCidrs,
            Supplier<Optional<Node>> node,
            Supplier<NodeSettings> settings,
            Supplier<Optional<NodeAddresses>> addresses) {}

    /** All networks except those read from the kernel. */
    private record Known(List<Network> services, List<Network> others) {}

    private final Sources sources;
    private final NetlinkSockets sockets;
    private final Platform platform;
    private Optional<Known> compared = Optional.empty();
    private long comparedAt;
    private List<String> notes = List.of();

    public NetworkNotes(Sources sources, NetlinkSockets sockets, Platform platform) {
        this.sources = sources;
        this.sockets = sockets;
        this.platform = platform;
    }

    /** One sentence for each overlap; a new one is logged, too. */
    public synchronized List<String> now() {
        Known known = new Known(services(), others());
        boolean old = platform.nanoTime() - comparedAt > AGAIN.toNanos();
        if (old || !compared.equals(Optional.of(known))) {
            List<String> fresh = NetworkOverlaps.between(known.services, all(known));
            fresh.stream().filter(note -> !notes.contains(note)).forEach(note -> LOG.warn("networks: {}", note));
            notes = fresh;
            compared = Optional.of(known);
            comparedAt = platform.nanoTime();
        }
        return notes;
    }

    private List<Network> all(Known known) {
        List<Network> all = new ArrayList<>(known.others);
        if (!known.services.isEmpty()) {
            Set<IpPrefix> expected =
                    known.services.stream().map(Network::prefix).collect(Collectors.toSet());
            try {
                all.addAll(HostNetworks.read(sockets, expected));
            } catch (NetlinkException e) {
                LOG.warn("networks of this host are not compared reason=\"{}\"", e.getMessage());
            }
        }
        return all;
    }

    private List<Network> services() {
        List<Network> networks = new ArrayList<>();
        for (ServiceCidr cidr : sources.serviceCidrs().get()) {
            cidr.cidrs().forEach(network -> networks.add(new Network(network, "ServiceCIDR " + cidr.name())));
        }
        return networks;
    }

    private List<Network> others() {
        List<Network> networks = new ArrayList<>();
        sources.podCidrs().cidrs().forEach(network -> networks.add(new Network(network, "--pod-cidr")));
        sources.node()
                .get()
                .ifPresent(node -> node.podCidrs()
                        .forEach(
                                network -> networks.add(new Network(network, "spec.podCIDRs of Node " + node.name()))));
        if (sources.settings().get().detectLocal() instanceof DetectLocal.ClusterCidr(var cluster)) {
            cluster.forEach(network -> networks.add(new Network(network, "--cluster-cidr")));
        }
        sources.addresses()
                .get()
                .ifPresent(addresses -> addresses
                        .nodeIps()
                        .forEach(ip -> networks.add(new Network(IpPrefix.host(ip), "an address of this node"))));
        return networks;
    }
}
