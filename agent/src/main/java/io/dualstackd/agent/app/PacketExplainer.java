package io.dualstackd.agent.app;

import io.dualstackd.admin.explain.ExplainRequest;
import io.dualstackd.admin.explain.Explainer;
import io.dualstackd.admin.explain.TraceReport;
import io.dualstackd.admin.explain.TraceRequest;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.explain.Explanation;
import io.dualstackd.explain.HostPath;
import io.dualstackd.explain.KernelFindings;
import io.dualstackd.explain.io.ChainsVerifier;
import io.dualstackd.explain.io.HostPathTracer;
import io.dualstackd.explain.io.PacketTracer;
import io.dualstackd.explain.io.RecentLists;
import io.dualstackd.explain.io.TableVerifier;
import io.dualstackd.explain.trace.TraceFilter;
import io.dualstackd.explain.trace.TraceResult;
import io.dualstackd.explain.trace.TracedPacket;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.view.ServiceViews;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeViews;
import io.dualstackd.node.OwnAddresses;
import io.dualstackd.node.io.NodeAddressTracker;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Plans what happens to a packet, as a reconciler would, and compares it with the kernel's rules. It reads no other Service. */
final class PacketExplainer implements Explainer {
    private final DaemonSettings settings;
    private final Supplier<NodeSettings> node;
    private final Store store;
    private final PodNetworks networks;
    private final NodeAddressTracker addresses;
    private final PacketTracer tracer;

    /** @param node the current settings, which may change while the daemon runs */
    PacketExplainer(
            DaemonSettings settings,
            Supplier<NodeSettings> node,
            Store store,
            PodNetworks networks,
            NodeAddressTracker addresses) {
        this.settings = settings;
        this.node = node;
        this.store = store;
        this.networks = networks;
        this.addresses = addresses;
        this.tracer = new PacketTracer(settings.ns());
    }

    /** A packet, and what the daemon plans for it. */
    private record Planned(
            Packet packet, OwnAddresses own, Planner planner, List<ServicePlan> plans, PacketFate fate) {}

    private Planned planned(ExplainRequest explainRequest) {
        IpFamily family = explainRequest.destination().family();
        OwnAddresses own = addresses.own(family);
        Planner planner = Planner.of(NodeViews.of(
                node.get(),
                networks.withLastKnown(store.node(node.get().name())),
                own,
                store.serviceCidrs().stream()
                        .flatMap(cidr -> cidr.cidrs().stream())
                        .toList(),
                family));
        List<ServicePlan> plans = store.services().stream()
                .filter(state ->
                        state.service().filter(s -> mayMean(s, explainRequest)).isPresent())
                .flatMap(state -> plan(state, planner, family).stream())
                .toList();
        Packet packet = packet(explainRequest, own);
        PacketFate fate = arriving(packet, own, new PacketOracle(settings.mode(), planner, plans).fate(packet));
        return new Planned(packet, own, planner, plans, fate);
    }

    /** What comes in for a process of this node meets no rule that masquerades: those are on the way out. */
    private PacketFate arriving(Packet packet, OwnAddresses own, PacketFate fate) {
        if (settings.mode() == ProxyMode.IPVS
                || packet.origin() instanceof Packet.Origin.ThisNode
                || !(fate instanceof PacketFate.Forwarded(var service, var reason, List<PacketFate.Hop> hops))) {
            return fate;
        }
        Set<Ip> here = new HashSet<>(own.all());
        return new PacketFate.Forwarded(
                service,
                reason,
                hops.stream()
                        .map(hop -> new PacketFate.Hop(
                                hop.to(),
                                hop.masqueraded()
                                        && !here.contains(hop.to().address().ip())))
                        .toList());
    }

    @Override
    public Optional<String> unserved(IpFamily family) {
        return Optional.ofNullable(settings.missing().get(family))
                .map(why -> "there are no rules for " + family + " on this host: " + why);
    }

    @Override
    public Optional<String> podInterface(Ip pod) {
        return switch (node.get().detectLocal()) {
            case DetectLocal.Bridge(String name) -> Optional.of(name);
            case DetectLocal.InterfacePrefix(String prefix) -> linkTo(pod).filter(name -> name.startsWith(prefix));
            case DetectLocal.ClusterCidr _, DetectLocal.NodeCidr _ -> Optional.empty();
        };
    }

    /** The interface that the route to an address leaves through. */
    private Optional<String> linkTo(Ip address) {
        try (RouteClient routes = RouteClient.open(settings.ns())) {
            OptionalInt link = routes.lookup(address, Optional.empty(), OptionalInt.empty())
                    .link();
            return routes.links().stream()
                    .filter(each -> link.isPresent() && each.index() == link.getAsInt())
                    .map(Link::name)
                    .findFirst();
        } catch (NetlinkException e) {
            return Optional.empty();
        }
    }

    @Override
    public Explanation explain(ExplainRequest explainRequest) {
        Planned planned = planned(explainRequest);
        Packet packet = planned.packet();
        Planner planner = planned.planner();
        List<ServicePlan> plans = planned.plans();
        PacketFate fate = planned.fate();
        KernelFindings kernelFindings = verify(
                packet, planner.nodePlan(), plans, new HashSet<>(planned.own().all()));
        // IPVS takes packets on their way in, and changes their path from there.
        Optional<HostPath> host = settings.mode() == ProxyMode.IPVS
                ? Optional.of(new HostPath(List.of(), List.of("routes and firewall of this host, in mode ipvs")))
                : HostPathTracer.trace(
                        settings.ns(),
                        settings.mode(),
                        packet,
                        fate,
                        planner.nodePlan().masqueradeMark());
        return Explanation.of(packet, settings.mode(), planner, plans, fate, kernelFindings, host);
    }

    @Override
    public TraceReport trace(TraceRequest traceRequest, Consumer<TraceReport.Packet> seen, BooleanSupplier gone)
            throws InterruptedException {
        Optional<String> impossible = unserved(
                        traceRequest.packet().destination().family())
                .or(this::untraced)
                .or(() -> traceRequest.packet().in().flatMap(this::missing));
        if (impossible.isPresent()) {
            return new TraceReport.Refused(impossible.get());
        }
        ExplainRequest packet = traceRequest.packet();
        Set<Ip> own = new HashSet<>(addresses.own(packet.destination().family()).all());
        TraceFilter filter = new TraceFilter(
                packet.source(),
                packet.destination(),
                packet.port(),
                packet.protocol(),
                packet.in().orElse(""));
        List<TraceReport.Packet> packets = new CopyOnWriteArrayList<>();
        TraceResult result = tracer.trace(
                new PacketTracer.Order(filter, own, traceRequest.count(), traceRequest.time()),
                () -> {},
                traced -> {
                    TraceReport.Packet one = new TraceReport.Packet(
                            traced, planned(arrived(packet, traced)).fate());
                    packets.add(one);
                    seen.accept(one);
                },
                gone);
        return switch (result) {
            case TraceResult.Refused(String why) -> new TraceReport.Refused(why);
            case TraceResult.Traced traced ->
                new TraceReport.Seen(traceRequest, packets, traced.lost(), traced.notSeen());
        };
    }

    /** The packet as it was seen to come in: that decides whether it is taken for one of a pod. */
    private static ExplainRequest arrived(ExplainRequest packet, TracedPacket traced) {
        return new ExplainRequest(
                packet.source(),
                packet.destination(),
                packet.port(),
                packet.protocol(),
                Optional.of(traced.in()).filter(name -> !name.isEmpty()).or(packet::in));
    }

    @Override
    public Optional<String> missing(String link) {
        try (RouteClient routes = RouteClient.open(settings.ns())) {
            return routes.link(link).isPresent() ? Optional.empty() : Optional.of("this host has no interface " + link);
        } catch (NetlinkException e) {
            return Optional.empty();
        }
    }

    /** Why packets cannot be traced in this mode. */
    private Optional<String> untraced() {
        if (settings.mode() == ProxyMode.IPVS) {
            return Optional.of(
                    "in mode ipvs the kernel's virtual servers choose endpoints, which nf_tables does not trace;"
                            + " 'dualstackd explain' says what should happen to a packet");
        }
        if (settings.mode() == ProxyMode.IPTABLES && settings.variant() == IptablesVariant.LEGACY) {
            return Optional.of("the rules are in tables of iptables legacy, which nf_tables does not trace;"
                    + " 'dualstackd explain' says what should happen to a packet");
        }
        return Optional.empty();
    }

    private static boolean mayMean(Service service, ExplainRequest explainRequest) {
        Ip to = explainRequest.destination();
        return service.clusterIps().contains(to)
                || service.externalIps().contains(to)
                || service.ingress().stream().anyMatch(ingress -> ingress.ip().equals(to))
                || service.ports().stream().anyMatch(port -> port.nodePort() == explainRequest.port())
                || (service.clusterIp() instanceof Service.ClusterIp.Address(Ip single) && single.equals(to));
    }

    private Optional<ServicePlan> plan(ServiceState state, Planner planner, IpFamily family) {
        return state.service()
                .map(service -> ServiceViews.of(
                        service, state.slices(), family, node.get().name(), state.lost()))
                .filter(view -> !view.ports().isEmpty())
                .map(planner::plan);
    }

    private static Packet packet(ExplainRequest explainRequest, OwnAddresses own) {
        boolean fromHere = explainRequest.source().isLoopback() || own.all().contains(explainRequest.source());
        Packet.Origin origin = fromHere && explainRequest.in().isEmpty()
                ? new Packet.Origin.ThisNode()
                : new Packet.Origin.Interface(explainRequest.in().orElse(""));
        return new Packet(
                explainRequest.source(),
                origin,
                explainRequest.destination(),
                explainRequest.protocol(),
                explainRequest.port());
    }

    private KernelFindings verify(Packet packet, NodePlan node, List<ServicePlan> plans, Set<Ip> own) {
        UnaryOperator<Set<String>> remembering = lists -> RecentLists.holding(settings.ns(), packet.source(), lists);
        return switch (settings.mode()) {
            case IPTABLES -> {
                ChainsVerifier verifier = switch (settings.variant()) {
                    case NF_TABLES -> ChainsVerifier.of(() -> NlSocket.open(NlProtocol.NETFILTER, settings.ns()), node);
                    case LEGACY ->
                        ChainsVerifier.ofLegacy(() -> XtTableClient.open(node.family(), settings.ns()), node);
                };
                yield verifier.verify(plans, packet, own, remembering);
            }
            case NFTABLES -> askTable(packet, node.family(), own);
            case IPVS ->
                new KernelFindings.Silent(
                        "in mode ipvs the kernel is not read; 'ipvsadm -Ln' shows its virtual servers");
        };
    }

    private KernelFindings askTable(Packet packet, IpFamily family, Set<Ip> own) {
        try (NftClient kernel = NftClient.open(settings.ns())) {
            return TableVerifier.verify(kernel, family, packet, own);
        } catch (NetlinkException e) {
            return new KernelFindings.Silent(String.valueOf(e.getMessage()));
        }
    }
}
