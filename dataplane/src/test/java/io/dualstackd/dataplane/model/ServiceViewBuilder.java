package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Builds a {@link ServiceView} for a test: a ClusterIP Service {@code ns/NAME} on TCP port 80 with Cluster policies. */
public final class ServiceViewBuilder {
    private final String name;
    private final Ip clusterIp;
    private List<Proto> protocols = List.of(Proto.TCP);
    private int port = 80;
    private int nodePort;
    private List<Ip> externalIps = List.of();
    private List<Ip> loadBalancerIps = List.of();
    private List<IpPrefix> sourceRanges = List.of();
    private Affinity affinity = Affinity.NONE;
    private TrafficPolicy internal = TrafficPolicy.CLUSTER;
    private TrafficPolicy external = TrafficPolicy.CLUSTER;
    private int healthCheckNodePort;
    private final List<Endpoint> endpoints = new ArrayList<>();

    private ServiceViewBuilder(String name, Ip clusterIp) {
        this.name = name;
        this.clusterIp = clusterIp;
    }

    public static ServiceViewBuilder service(String name, String clusterIp) {
        return new ServiceViewBuilder(name, Ip.parse(clusterIp));
    }

    /** One port per protocol, all with the same numbers and endpoints, named after the protocol when there are several. */
    public ServiceViewBuilder protocols(Proto... values) {
        protocols = List.of(values);
        return this;
    }

    public ServiceViewBuilder port(int value) {
        port = value;
        return this;
    }

    public ServiceViewBuilder nodePort(int value) {
        nodePort = value;
        return this;
    }

    public ServiceViewBuilder externalIps(String... values) {
        externalIps = Stream.of(values).map(Ip::parse).toList();
        return this;
    }

    public ServiceViewBuilder loadBalancerIps(String... values) {
        loadBalancerIps = Stream.of(values).map(Ip::parse).toList();
        return this;
    }

    public ServiceViewBuilder sourceRanges(String... values) {
        sourceRanges = Stream.of(values).map(IpPrefix::parse).toList();
        return this;
    }

    public ServiceViewBuilder affinity(int seconds) {
        affinity = new Affinity.ClientIp(seconds);
        return this;
    }

    public ServiceViewBuilder internalLocal() {
        internal = TrafficPolicy.LOCAL;
        return this;
    }

    public ServiceViewBuilder externalLocal() {
        external = TrafficPolicy.LOCAL;
        return this;
    }

    public ServiceViewBuilder healthCheckNodePort(int value) {
        healthCheckNodePort = value;
        return this;
    }

    public ServiceViewBuilder endpoints(List<Endpoint> values) {
        endpoints.addAll(values);
        endpoints.sort(Comparator.comparing(endpoint -> endpoint.address().toString()));
        return this;
    }

    /** Endpoints in the words of {@link EndpointText}. */
    public ServiceViewBuilder endpoints(String text, int targetPort) {
        return endpoints(EndpointText.parse(text, targetPort));
    }

    /** The port of the first protocol. */
    public ServicePort servicePort() {
        return servicePort(protocols.getFirst());
    }

    private ServicePort servicePort(Proto protocol) {
        return new ServicePort(
                new ServicePortName(
                        new ServiceKey("ns", name), protocols.size() == 1 ? "p" : protocol.toString(), protocol),
                clusterIp,
                port,
                nodePort,
                externalIps,
                loadBalancerIps,
                sourceRanges,
                affinity,
                internal,
                external,
                healthCheckNodePort);
    }

    public PortView portView() {
        return new PortView(servicePort(), endpoints);
    }

    public ServiceView view() {
        return new ServiceView(
                new ServiceKey("ns", name),
                clusterIp.family(),
                protocols.stream()
                        .map(protocol -> new PortView(servicePort(protocol), endpoints))
                        .toList());
    }
}
