package io.dualstackd.kubeapi.view;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Derives the data plane's view of a Service in one family. */
public final class ServiceViews {
    private final Service service;
    private final IpFamily family;
    private final ServiceKey key;
    private final Set<Destination> lost;

    private ServiceViews(Service service, IpFamily family, Set<Destination> lost) {
        this.service = service;
        this.family = family;
        this.lost = lost;
        this.key = new ServiceKey(service.namespace(), service.name());
    }

    /**
     * The Service for this node's proxy of {@code family}; without ports when dualstackd does not serve it: headless,
     * {@code ExternalName}, without an address of the family, or with the label of another proxy.
     *
     * @param slices all slices of the Service, of any address type
     * @param nodeName this node, which determines the local endpoints
     */
    public static ServiceView of(Service service, Collection<EndpointSlice> slices, IpFamily family, String nodeName) {
        return of(service, slices, family, nodeName, Set.of());
    }

    /**
     * As {@link #of(Service, Collection, IpFamily, String)}, without destinations that another Service holds. A port whose cluster IP is
     * lost is left out completely.
     *
     * @param lost destinations that the Service names and does not get
     */
    public static ServiceView of(
            Service service,
            Collection<EndpointSlice> slices,
            IpFamily family,
            String nodeName,
            Set<Destination> lost) {
        ServiceViews views = new ServiceViews(service, family, lost);
        Optional<Ip> clusterIp = views.clusterIp();
        List<PortView> ports = clusterIp.isEmpty()
                ? List.of()
                : views.ports(clusterIp.get(), new SliceEndpoints(slices, family, nodeName));
        return new ServiceView(views.key, family, ports);
    }

    /** The destinations that the Service would serve if no other held them, in both families. */
    public static Set<Destination> destinations(Service service) {
        Set<Destination> destinations = new LinkedHashSet<>();
        for (IpFamily family : IpFamily.values()) {
            ServiceViews views = new ServiceViews(service, family, Set.of());
            views.clusterIp().ifPresent(ip -> views.destinations(ip, destinations));
        }
        return destinations;
    }

    /** Whether the destination is a port of the Service's cluster IP. */
    public static boolean isClusterIp(Service service, Destination what) {
        return what instanceof Destination.Address(Ip ip, int ignored, Proto ignored2)
                && new ServiceViews(service, ip.family(), Set.of())
                        .clusterIp()
                        .filter(ip::equals)
                        .isPresent();
    }

    private void destinations(Ip clusterIp, Set<Destination> to) {
        for (Service.Port port : service.ports()) {
            Proto protocol = port.protocol();
            to.add(new Destination.Address(clusterIp, port.port(), protocol));
            for (Ip ip : ofFamily(service.externalIps())) {
                to.add(new Destination.Address(ip, port.port(), protocol));
            }
            for (Ip ip : loadBalancerIps()) {
                to.add(new Destination.Address(ip, port.port(), protocol));
            }
            if (port.nodePort() != 0) {
                to.add(new Destination.NodePort(family, port.nodePort(), protocol));
            }
        }
        if (healthCheckNodePort() != 0) {
            to.add(new Destination.NodePort(family, healthCheckNodePort(), Proto.TCP));
        }
    }

    private List<Ip> loadBalancerIps() {
        if (service.ingress().isEmpty()) {
            return List.of();
        }
        return ofFamily(service.ingress().stream()
                .filter(i -> i.mode() == Service.IpMode.VIP)
                .map(Service.Ingress::ip)
                .toList());
    }

    private List<Ip> kept(List<Ip> ips, Service.Port port) {
        return lost.isEmpty()
                ? ips
                : ips.stream()
                        .filter(ip -> !lost.contains(new Destination.Address(ip, port.port(), port.protocol())))
                        .toList();
    }

    /** Returns 0 when another Service holds the node port. */
    private int kept(int nodePort, Proto protocol) {
        return lost.contains(new Destination.NodePort(family, nodePort, protocol)) ? 0 : nodePort;
    }

    private Optional<Ip> clusterIp() {
        boolean ours = service.proxyName().isEmpty() && service.type() != Service.Type.EXTERNAL_NAME;
        if (!ours || !(service.clusterIp() instanceof Service.ClusterIp.Address(Ip single))) {
            return Optional.empty();
        }
        if (service.ipFamilies().isEmpty()) {
            return ifOfFamily(single);
        }
        int index = service.ipFamilies().indexOf(family);
        return index < 0 || index >= service.clusterIps().size()
                ? Optional.empty()
                : ifOfFamily(service.clusterIps().get(index));
    }

    private Optional<Ip> ifOfFamily(Ip ip) {
        return ip.family() == family ? Optional.of(ip) : Optional.empty();
    }

    private List<PortView> ports(Ip clusterIp, SliceEndpoints endpoints) {
        List<Ip> externalIps = ofFamily(service.externalIps());
        List<Ip> loadBalancerIps = loadBalancerIps();
        List<IpPrefix> sourceRanges = sourceRanges();
        List<PortView> ports = new ArrayList<>();
        for (Service.Port port : service.ports()) {
            if (lost.contains(new Destination.Address(clusterIp, port.port(), port.protocol()))) {
                continue;
            }
            ServicePort derived = new ServicePort(
                    new ServicePortName(key, port.name(), port.protocol()),
                    clusterIp,
                    port.port(),
                    kept(port.nodePort(), port.protocol()),
                    kept(externalIps, port),
                    kept(loadBalancerIps, port),
                    sourceRanges,
                    affinity(),
                    policy(service.internalTrafficPolicy()),
                    externalPolicy(),
                    kept(healthCheckNodePort(), Proto.TCP));
            ports.add(new PortView(derived, endpoints.of(port.name(), port.protocol())));
        }
        return ports;
    }

    /** Returns the addresses of the family, without duplicates. */
    private List<Ip> ofFamily(List<Ip> ips) {
        return ips.isEmpty()
                ? List.of()
                : ips.stream().filter(ip -> ip.family() == family).distinct().toList();
    }

    /** Returns the source ranges. A range that contains every address makes the list ineffective: all sources are allowed. */
    private List<IpPrefix> sourceRanges() {
        if (service.loadBalancerSourceRanges().isEmpty()) {
            return List.of();
        }
        List<IpPrefix> ranges = service.loadBalancerSourceRanges().stream()
                .filter(range -> range.family() == family)
                .distinct()
                .toList();
        return ranges.stream().anyMatch(range -> range.length() == 0) ? List.of() : ranges;
    }

    private Affinity affinity() {
        return switch (service.sessionAffinity()) {
            case Service.SessionAffinity.None ignored -> Affinity.NONE;
            case Service.SessionAffinity.ClientIp(var timeout) -> new Affinity.ClientIp((int) timeout.toSeconds());
        };
    }

    /** The policy {@code Local} applies only where external destinations are possible, whether or not there are any in this family. */
    private TrafficPolicy externalPolicy() {
        boolean possible = switch (service.type()) {
            case NODE_PORT, LOAD_BALANCER -> true;
            case CLUSTER_IP -> !service.externalIps().isEmpty();
            case EXTERNAL_NAME -> false;
        };
        return possible ? policy(service.externalTrafficPolicy()) : TrafficPolicy.CLUSTER;
    }

    private int healthCheckNodePort() {
        boolean has =
                service.type() == Service.Type.LOAD_BALANCER && service.externalTrafficPolicy() == Service.Policy.LOCAL;
        return has ? service.healthCheckNodePort() : 0;
    }

    private static TrafficPolicy policy(Service.Policy policy) {
        return switch (policy) {
            case CLUSTER -> TrafficPolicy.CLUSTER;
            case LOCAL -> TrafficPolicy.LOCAL;
        };
    }
}
