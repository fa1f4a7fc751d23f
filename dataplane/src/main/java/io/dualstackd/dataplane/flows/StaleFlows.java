package io.dualstackd.dataplane.flows;

import io.dualstackd.dataplane.flows.Draining.Way;
import io.dualstackd.dataplane.flows.FlowIndex.Touched;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.conntrack.FlowView;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Detects stale flows of one family, from what it keeps of the Services and of their changes. For one thread at a time.
 *
 * <p>A UDP flow is stale when its destination is a frontend and its answers come from no endpoint that may keep flows: also when
 * they come from the frontend itself, because the flow is older than the Service, and when there is no such endpoint at all. Flows
 * to a frontend that is gone are stale when they are translated. TCP connections are left alone, unless they are to be drained.
 * Flows of other protocols are always left alone, and so are all flows in a conntrack zone: a zone belongs to a separate network,
 * where the same addresses may mean something else.
 */
public final class StaleFlows {
    /**
     * The most dumps to make. The kernel walks its whole table for each, whatever the filter; one dump of a protocol costs a walk
     * and the reading of what it lists.
     */
    private static final int MOST_DUMPS = 4;

    /**
     * The most frontends or connections that wait for a sweep. Where none succeeds, as without nf_conntrack_netlink, the oldest are
     * forgotten: their flows end by their timeouts.
     */
    static final int MOST_WAITING = 100_000;

    private final IpFamily family;
    private final FlowIndex udp = new FlowIndex();
    private final @Nullable Draining tcp;

    private @Nullable Planner planner;
    private NodeTargets targets = NodeTargets.NONE;

    /** Since the last sweep: frontends that lost endpoints, got their first ones, or are gone. */
    private Set<Frontend> suspects = new LinkedHashSet<>();
    /** Since the last sweep: addresses on which node ports no longer answer. */
    private final Set<Ip> formerTargets = new HashSet<>();

    private boolean everywhere = true;
    private boolean starting = true;

    /** @param drainTcpAfter how long TCP connections to an endpoint that is gone may go on; empty for no limit */
    public StaleFlows(IpFamily family, Optional<Duration> drainTcpAfter) {
        this.family = family;
        this.tcp = drainTcpAfter.map(Draining::new).orElse(null);
    }

    /** Records the current state of a Service; empty when it is gone. Calling it repeatedly before the next sweep does no harm. */
    public void changed(ServiceKey key, Optional<ServiceView> service, Instant now) {
        for (Touched touched : udp.put(key, FlowPort.udp(service))) {
            Frontend frontend = touched.frontend();
            boolean owned = udp.owns(frontend);
            boolean suspicious = !owned
                    || touched.before().isEmpty()
                    || touched.before().stream().anyMatch(endpoint -> !udp.serves(frontend, endpoint));
            // A full sweep judges every owned frontend; only removed ones must be remembered.
            if (suspicious && !(everywhere && owned)) {
                suspects.add(frontend);
                forgetOldest(suspects);
            }
        }
        if (tcp != null) {
            tcp.changed(key, tcp.index().put(key, FlowPort.tcp(service)), now);
        }
    }

    /** Keeps a set in order of insertion within {@link #MOST_WAITING}. */
    static void forgetOldest(Collection<?> waiting) {
        if (waiting.size() > MOST_WAITING) {
            Iterator<?> oldest = waiting.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Records the current state of the node. */
    public void node(Planner now) {
        if (now == planner) {
            return;
        }
        planner = now;
        NodeTargets after = NodeTargets.of(now);
        if (!after.isLike(targets)) {
            targets.addresses().stream().filter(ip -> !after.contains(ip)).forEach(formerTargets::add);
            suspects.addAll(udp.nodePorts());
        }
        targets = after;
    }

    /** For when the rules were not in force for a while: flows that began then may have been sent anywhere. */
    public void suspectAll() {
        everywhere = true;
    }

    /**
     * The sweep to make now, if any.
     *
     * <p>The first time, translated flows to addresses in the node's Service CIDRs that belong to no UDP port are taken for those
     * of Services deleted while dualstackd did not run. Later they are not: they may be those of another proxy's Services ({@code
     * service.kubernetes.io/service-proxy-name}).
     */
    public Optional<SweepPlan> plan(Instant now) {
        Set<Way> drained = tcp == null ? Set.of() : tcp.due(now);
        List<FlowFilter> filters = new ArrayList<>();
        if (everywhere) {
            filters.add(new FlowFilter.OfProto(family, Proto.UDP));
        } else {
            filters.addAll(filters(family, Proto.UDP, suspects));
        }
        filters.addAll(filters(
                family,
                Proto.TCP,
                drained.stream().map(Way::frontend).distinct().toList()));
        if (filters.isEmpty()) {
            return Optional.empty();
        }
        List<IpPrefix> ranges = starting && planner != null ? planner.nodePlan().serviceCidrs() : List.of();
        return Optional.of(new SweepPlan(filters, flow -> stale(flow, ranges, drained), now));
    }

    /** Records that this plan was carried out. */
    public void done(SweepPlan plan) {
        suspects = new LinkedHashSet<>();
        formerTargets.clear();
        everywhere = false;
        starting = false;
        if (tcp != null) {
            tcp.done(plan.asOf());
        }
    }

    /** The time to request a plan again even if nothing changes. */
    public Optional<Instant> next() {
        return tcp == null ? Optional.empty() : tcp.next();
    }

    private boolean stale(FlowView flow, List<IpPrefix> ranges, Set<Way> drained) {
        if (flow.zone() != 0) {
            return false;
        }
        if (flow.is(Proto.UDP)) {
            return staleUdp(flow.destination(), flow.replySource(), ranges);
        }
        return flow.is(Proto.TCP) && !drained.isEmpty() && staleTcp(flow.destination(), flow.replySource(), drained);
    }

    private boolean staleUdp(IpPort destination, IpPort replySource, List<IpPrefix> ranges) {
        Frontend address = new Frontend.Address(destination);
        if (udp.owns(address)) {
            return !udp.serves(address, replySource);
        }
        boolean onNode = targets.contains(destination.ip());
        Frontend nodePort = new Frontend.NodePort(destination.port());
        if (onNode && udp.owns(nodePort)) {
            return !udp.serves(nodePort, replySource);
        }
        boolean translated = !replySource.equals(destination);
        return translated
                && (suspects.contains(address)
                        || ((onNode || formerTargets.contains(destination.ip())) && suspects.contains(nodePort))
                        || ranges.stream().anyMatch(range -> range.contains(destination.ip())));
    }

    private boolean staleTcp(IpPort destination, IpPort replySource, Set<Way> drained) {
        if (drained.contains(new Way(new Frontend.Address(destination), replySource))) {
            return true;
        }
        return targets.contains(destination.ip())
                && drained.contains(new Way(new Frontend.NodePort(destination.port()), replySource));
    }

    /** Chooses the dumps that list all flows to some frontends. */
    private static List<FlowFilter> filters(IpFamily family, Proto proto, Collection<Frontend> frontends) {
        if (frontends.size() <= MOST_DUMPS) {
            return frontends.stream()
                    .map(frontend -> filter(family, proto, frontend))
                    .distinct()
                    .toList();
        }
        List<FlowFilter> byPort = frontends.stream()
                .mapToInt(Frontend::port)
                .distinct()
                .limit(MOST_DUMPS + 1)
                .mapToObj(port -> (FlowFilter) new FlowFilter.ToPort(family, proto, port))
                .toList();
        return byPort.size() <= MOST_DUMPS ? byPort : List.of(new FlowFilter.OfProto(family, proto));
    }

    private static FlowFilter filter(IpFamily family, Proto proto, Frontend frontend) {
        return switch (frontend) {
            case Frontend.Address(var at) -> new FlowFilter.To(proto, at);
            case Frontend.NodePort(int number) -> new FlowFilter.ToPort(family, proto, number);
        };
    }

    /**
     * The destination addresses on which node ports answer.
     *
     * @param addresses of this node
     * @param loopback every loopback address, too
     */
    private record NodeTargets(Set<Ip> addresses, boolean loopback) {
        static final NodeTargets NONE = new NodeTargets(Set.of(), false);

        NodeTargets {
            addresses = Set.copyOf(addresses);
        }

        static NodeTargets of(Planner planner) {
            return switch (planner.nodePlan().nodePorts()) {
                case NodePortMatch.AllLocal(boolean loopback) ->
                    new NodeTargets(
                            planner.node().addresses().stream()
                                    .filter(ip -> !ip.isLoopback())
                                    .collect(Collectors.toSet()),
                            loopback);
                case NodePortMatch.Only(List<Ip> addresses) -> new NodeTargets(Set.copyOf(addresses), false);
            };
        }

        /** Whether both are equal but for link-local addresses, of which the link of each pod brings one: no flow is older than those. */
        boolean isLike(NodeTargets other) {
            return loopback == other.loopback && stable().equals(other.stable());
        }

        private Set<Ip> stable() {
            return addresses.stream().filter(ip -> !ip.isLinkLocal()).collect(Collectors.toSet());
        }

        boolean contains(Ip ip) {
            return addresses.contains(ip) || (loopback && ip.isLoopback());
        }
    }
}
