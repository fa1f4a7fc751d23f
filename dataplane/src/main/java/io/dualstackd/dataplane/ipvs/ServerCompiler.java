package io.dualstackd.dataplane.ipvs;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.CompilationException;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Computes the virtual servers that a Service wants on one node: one for each of its addresses and ports, and for each node port one on
 * each address of the node where node ports answer. A server without destinations is wanted, too: IPVS rejects what is sent to it.
 *
 * <p>Immutable; make a new one when the view of the node changes.
 */
public final class ServerCompiler {
    /** Schedulers that hash; with them all connections of a client would go to one endpoint if ports were not part of the hash. */
    private static final Set<String> HASHING = Set.of("mh");

    private final IpvsSettings settings;
    private final Set<Ip> own;
    private final List<Ip> nodePortAddresses;

    public ServerCompiler(Planner planner, IpvsSettings settings) {
        this.settings = settings;
        List<Ip> addresses = planner.node().stableAddresses();
        own = Set.copyOf(addresses);
        nodePortAddresses = planner.nodePlan().nodePorts().withServers(addresses);
    }

    /** Whether node ports answer on other addresses than with {@code other}, or addresses have become the node's own. */
    public boolean differs(ServerCompiler other) {
        return !nodePortAddresses.equals(other.nodePortAddresses) || !own.equals(other.own);
    }

    /** The wanted servers in the order of the Service, none twice: where two uses of an address collide, the first one counts. */
    public Map<IpvsKey.At, VirtualServer> compile(ServicePlan plan) {
        return CompilationException.compile(plan, this::servers);
    }

    private Map<IpvsKey.At, VirtualServer> servers(ServicePlan plan) {
        Map<IpvsKey.At, VirtualServer> servers = new LinkedHashMap<>();
        for (PortPlan port : plan.ports()) {
            ServicePort of = port.port();
            Set<IpPort> internal = addresses(port.internalBackends());
            Set<IpPort> external = addresses(of.externalPolicyLocal() ? port.local() : port.cluster());
            add(servers, port, of.clusterIp(), of.port(), internal);
            of.externalIps().forEach(ip -> add(servers, port, ip, of.port(), external));
            of.loadBalancerIps().forEach(ip -> add(servers, port, ip, of.port(), external));
            if (of.nodePort() != 0) {
                nodePortAddresses.forEach(ip -> add(servers, port, ip, of.nodePort(), external));
            }
        }
        return servers;
    }

    private static Set<IpPort> addresses(List<Backend> backends) {
        return backends.stream().map(Backend::address).collect(Collectors.toUnmodifiableSet());
    }

    private void add(
            Map<IpvsKey.At, VirtualServer> servers, PortPlan port, Ip ip, int number, Set<IpPort> destinations) {
        IpvsKey.At key = new IpvsKey.At(ip, port.port().name().protocol(), number);
        int flags = HASHING.contains(settings.scheduler()) ? IpvsService.HASH_PORTS : 0;
        int timeout = 0;
        if (port.port().affinity() instanceof Affinity.ClientIp(int seconds)) {
            flags |= IpvsService.PERSISTENT;
            timeout = seconds;
        }
        IpvsService service = new IpvsService(
                key, settings.scheduler(), flags, timeout, ip.family().bits());
        servers.putIfAbsent(key, new VirtualServer(service, destinations, !own.contains(ip)));
    }
}
