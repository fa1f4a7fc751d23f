package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.CompilationException;
import io.dualstackd.dataplane.plan.Handling;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Member;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Spread;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the elements a Service wants. A pure function of the Service's plan: no other Service and nothing of the node is read, so
 * the cost of a change depends on that Service alone, and a change of the node needs no Service to be compiled again.
 */
public final class ElementCompiler {
    /** The most endpoints of one destination; further ones get no connections. Names of sets have five digits for their number. */
    static final int MOST_ENDPOINTS = 65_535;

    private final Map<Identity, Member> members = new LinkedHashMap<>();
    private final List<Spread> spreads = new ArrayList<>();
    private final AffinityDraft sticky = new AffinityDraft();

    /** The kernel identifies elements by their keys; two ports of a Service may want the same one. */
    private record Identity(FixedSet set, Bytes key) {}

    private ElementCompiler() {}

    /** @throws CompilationException for a bug */
    public static ServiceElements compile(ServicePlan plan) {
        return CompilationException.compile(plan, ElementCompiler::elements);
    }

    private static ServiceElements elements(ServicePlan plan) {
        ElementCompiler compiler = new ElementCompiler();
        Set<Bytes> taken = new HashSet<>();
        for (PortPlan port : plan.ports()) {
            compiler.port(port, taken);
        }
        return new ServiceElements(List.copyOf(compiler.members.values()), compiler.spreads, compiler.sticky.finish());
    }

    /** @param taken destinations of earlier ports and kinds: the first to claim one owns it, as in {@code PacketOracle} */
    private void port(PortPlan plan, Set<Bytes> taken) {
        ServicePort port = plan.port();
        Proto protocol = port.name().protocol();
        add(FixedSet.CLUSTER_IPS, Keys.address(port.clusterIp()), port.name(), "");
        Bytes clusterIp = Keys.serviceIp(port.clusterIp(), protocol, port.port());
        if (taken.add(clusterIp)) {
            internal(plan, clusterIp);
        }
        for (Ip ip : port.loadBalancerIps()) {
            Bytes destination = Keys.serviceIp(ip, protocol, port.port());
            if (taken.add(destination)) {
                restrict(plan, destination);
                external(plan, destination, "load balancer IP", Kind.ADDRESS);
            }
        }
        for (Ip ip : port.externalIps()) {
            Bytes destination = Keys.serviceIp(ip, protocol, port.port());
            if (taken.add(destination)) {
                external(plan, destination, "external IP", Kind.ADDRESS);
            }
        }
        if (port.nodePort() != 0) {
            Bytes destination = Keys.nodePort(protocol, port.nodePort());
            if (taken.add(destination)) {
                external(plan, destination, "node port", Kind.NODE_PORT);
            }
        }
        for (Backend backend : plan.reachable()) {
            if (backend.local()) {
                add(FixedSet.HAIRPINS, Keys.hairpin(backend.address(), protocol), null, "");
            }
        }
    }

    private void internal(PortPlan plan, Bytes destination) {
        switch (plan.internal()) {
            case SERVE -> {
                add(FixedSet.SERVICE_IPS, destination, plan.port().name(), "cluster IP");
                spread(plan, Lane.CLUSTER, destination, plan.port().internalPolicyLocal());
            }
            case REJECT -> add(FixedSet.REJECT_IPS, destination, plan.port().name(), "has no endpoints");
            case DROP -> add(FixedSet.DROP_IPS, destination, plan.port().name(), "has no local endpoints");
        }
    }

    private void external(PortPlan plan, Bytes destination, String what, Kind kind) {
        if (!plan.hasEndpoints()) {
            add(kind.reject, destination, plan.port().name(), "has no endpoints");
            return;
        }
        add(kind.all, destination, plan.port().name(), what);
        spread(plan, kind.cluster, destination, false);
        if (plan.port().externalPolicyLocal()) {
            add(kind.localPolicy, destination, plan.port().name(), what);
            spread(plan, kind.local, destination, true);
            if (plan.external() == Handling.DROP) {
                add(kind.drop, destination, plan.port().name(), "has no local endpoints");
            }
        } else if (kind == Kind.ADDRESS) {
            add(FixedSet.EXTERNAL_IPS, destination, plan.port().name(), what);
        }
    }

    /** The sets and lanes of the two kinds of external destinations: addresses and node ports. */
    private enum Kind {
        ADDRESS(
                FixedSet.SERVICE_IPS,
                FixedSet.LOCAL_EXTERNAL_IPS,
                FixedSet.REJECT_IPS,
                FixedSet.DROP_IPS,
                Lane.CLUSTER,
                Lane.LOCAL),
        NODE_PORT(
                FixedSet.NODE_PORTS,
                FixedSet.LOCAL_NODE_PORTS,
                FixedSet.REJECT_NODE_PORTS,
                FixedSet.DROP_NODE_PORTS,
                Lane.NODE_PORT,
                Lane.LOCAL_NODE_PORT);

        private final FixedSet all;
        private final FixedSet localPolicy;
        private final FixedSet reject;
        private final FixedSet drop;
        private final Lane cluster;
        private final Lane local;

        Kind(FixedSet all, FixedSet localPolicy, FixedSet reject, FixedSet drop, Lane cluster, Lane local) {
            this.all = all;
            this.localPolicy = localPolicy;
            this.reject = reject;
            this.drop = drop;
            this.cluster = cluster;
            this.local = local;
        }
    }

    /** Sources are checked before translation, whether or not there is an endpoint. */
    private void restrict(PortPlan plan, Bytes destination) {
        List<IpPrefix> sources = plan.allowedSources();
        if (sources.isEmpty()) {
            return;
        }
        add(FixedSet.RESTRICTED_IPS, destination, plan.port().name(), "load balancer IP");
        add(FixedSet.FIREWALL_IPS, destination, plan.port().name(), "has source ranges");
        for (IpPrefix source : outermost(sources)) {
            Bytes first = Keys.source(destination, source.address());
            Bytes last = Keys.source(destination, source.lastAddress());
            members.putIfAbsent(
                    new Identity(FixedSet.ALLOWED_SOURCES, first),
                    new Member(
                            FixedSet.ALLOWED_SOURCES, first, last, plan.port().name(), "source range"));
        }
    }

    /** The kernel accepts no range inside another one. Behind the first address of a range come those inside it, and then others. */
    private static List<IpPrefix> outermost(List<IpPrefix> ranges) {
        List<IpPrefix> sorted = new ArrayList<>(ranges);
        sorted.sort(Comparator.naturalOrder());
        Set<IpPrefix> outermost = new LinkedHashSet<>();
        IpPrefix last = null;
        for (IpPrefix range : sorted) {
            if (last == null || !last.contains(range)) {
                outermost.add(range);
                last = range;
            }
        }
        return ranges.stream().filter(outermost::contains).toList();
    }

    private void spread(PortPlan plan, Lane lane, Bytes destination, boolean local) {
        List<Backend> endpoints = local ? plan.local() : plan.cluster();
        if (endpoints.isEmpty()) {
            return;
        }
        switch (plan.port().affinity()) {
            case Affinity.None() ->
                spreads.add(new Spread(
                        lane, destination, endpoints.subList(0, Math.min(endpoints.size(), MOST_ENDPOINTS))));
            case Affinity.ClientIp(int timeout) -> sticky.add(plan, lane, destination, local, timeout);
        }
    }

    private void add(FixedSet set, Bytes key, @Nullable ServicePortName port, String what) {
        members.putIfAbsent(new Identity(set, key), new Member(set, key, Bytes.EMPTY, port, what));
    }
}
