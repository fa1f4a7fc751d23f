package io.dualstackd.kubeapi.objects;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A {@code v1/Service}.
 *
 * @param proxyName value of the label {@code service.kubernetes.io/service-proxy-name}: when present, another proxy serves it
 * @param clusterIp {@code spec.clusterIP}
 * @param clusterIps {@code spec.clusterIPs} without {@code None}; parallel to {@code ipFamilies} when that is not empty
 * @param healthCheckNodePort 0 when there is none
 * @param selector pods that serve it; empty without one, and for {@code ExternalName}
 * @param ingress {@code status.loadBalancer.ingress[]}: entries with an {@code ip}; those with only a host name are left out
 * @param externalName {@code spec.externalName}; empty for other types
 * @param publishNotReadyAddresses whether names include endpoints that are not ready
 * @param created {@code metadata.creationTimestamp} in seconds since 1970; 0 when there is none
 */
public record Service(
        String namespace,
        String name,
        Optional<String> proxyName,
        Type type,
        ClusterIp clusterIp,
        List<Ip> clusterIps,
        List<IpFamily> ipFamilies,
        List<Port> ports,
        List<Ip> externalIps,
        List<Ingress> ingress,
        List<IpPrefix> loadBalancerSourceRanges,
        SessionAffinity sessionAffinity,
        Policy externalTrafficPolicy,
        Policy internalTrafficPolicy,
        int healthCheckNodePort,
        Optional<PodSelector> selector,
        String externalName,
        boolean publishNotReadyAddresses,
        long created)
        implements ApiObject {
    /** The label of Services that another proxy than the default one serves. */
    public static final String PROXY_NAME_LABEL = "service.kubernetes.io/service-proxy-name";

    public Service {
        clusterIps = List.copyOf(clusterIps);
        ipFamilies = List.copyOf(ipFamilies);
        ports = List.copyOf(ports);
        externalIps = List.copyOf(externalIps);
        ingress = List.copyOf(ingress);
        loadBalancerSourceRanges = List.copyOf(loadBalancerSourceRanges);
    }

    /** Begins a Service of type ClusterIP without address, ports and selector. */
    public static Builder builder(String namespace, String name) {
        return new Builder(namespace, name);
    }

    /** {@code spec.type}. */
    public enum Type {
        CLUSTER_IP("ClusterIP"),
        NODE_PORT("NodePort"),
        LOAD_BALANCER("LoadBalancer"),
        EXTERNAL_NAME("ExternalName");

        private final String label;

        Type(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** {@code spec.clusterIP}. */
    public sealed interface ClusterIp {
        /** Not set: no address has been allocated (yet). */
        record Unset() implements ClusterIp {}

        /** {@code None}: a headless service, reached by DNS only. */
        record None() implements ClusterIp {}

        /** An address. */
        record Address(Ip ip) implements ClusterIp {}
    }

    /** {@code externalTrafficPolicy} and {@code internalTrafficPolicy}. */
    public enum Policy {
        CLUSTER("Cluster"),
        LOCAL("Local");

        private final String label;

        Policy(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** {@code sessionAffinity} with its configuration. */
    public sealed interface SessionAffinity {
        /** No affinity: each connection is balanced on its own. */
        record None() implements SessionAffinity {}

        /** Connections from one client address go to the same endpoint for {@code timeout} (1 s to 86,400 s) after the last one. */
        record ClientIp(Duration timeout) implements SessionAffinity {}
    }

    /**
     * An entry of {@code spec.ports}.
     *
     * @param name may be empty when it is the only one
     * @param port 1 to 65535
     * @param nodePort 0 when there is none
     */
    public record Port(String name, Proto protocol, int port, int nodePort) {}

    /** An entry of {@code status.loadBalancer.ingress} with an address. */
    public record Ingress(Ip ip, IpMode mode) {}

    /** {@code ipMode}: whether packets arrive with the VIP as destination ({@code VIP}) or the balancer rewrote it. */
    public enum IpMode {
        VIP("VIP"),
        PROXY("Proxy");

        private final String label;

        IpMode(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** Collects the fields of a Service; those that are not set have the API's defaults. */
    public static final class Builder {
        private final String namespace;
        private final String name;
        private Optional<String> proxyName = Optional.empty();
        private Type type = Type.CLUSTER_IP;
        private ClusterIp clusterIp = new ClusterIp.Unset();
        private List<Ip> clusterIps = List.of();
        private List<IpFamily> ipFamilies = List.of();
        private List<Port> ports = List.of();
        private List<Ip> externalIps = List.of();
        private List<Ingress> ingress = List.of();
        private List<IpPrefix> loadBalancerSourceRanges = List.of();
        private SessionAffinity sessionAffinity = new SessionAffinity.None();
        private Policy externalTrafficPolicy = Policy.CLUSTER;
        private Policy internalTrafficPolicy = Policy.CLUSTER;
        private int healthCheckNodePort;
        private Optional<PodSelector> selector = Optional.empty();
        private String externalName = "";
        private boolean publishNotReadyAddresses;
        private long created;

        private Builder(String namespace, String name) {
            this.namespace = namespace;
            this.name = name;
        }

        public Builder proxyName(Optional<String> value) {
            proxyName = value;
            return this;
        }

        public Builder type(Type value) {
            type = value;
            return this;
        }

        /** Sets {@code spec.clusterIP}, {@code clusterIPs} and {@code ipFamilies}. */
        public Builder clusterIps(ClusterIp first, List<Ip> all, List<IpFamily> families) {
            clusterIp = first;
            clusterIps = all;
            ipFamilies = families;
            return this;
        }

        public Builder ports(List<Port> value) {
            ports = value;
            return this;
        }

        public Builder externalIps(List<Ip> value) {
            externalIps = value;
            return this;
        }

        public Builder ingress(List<Ingress> value) {
            ingress = value;
            return this;
        }

        public Builder loadBalancerSourceRanges(List<IpPrefix> value) {
            loadBalancerSourceRanges = value;
            return this;
        }

        public Builder sessionAffinity(SessionAffinity value) {
            sessionAffinity = value;
            return this;
        }

        public Builder externalTrafficPolicy(Policy value) {
            externalTrafficPolicy = value;
            return this;
        }

        public Builder internalTrafficPolicy(Policy value) {
            internalTrafficPolicy = value;
            return this;
        }

        public Builder healthCheckNodePort(int value) {
            healthCheckNodePort = value;
            return this;
        }

        public Builder selector(Optional<PodSelector> value) {
            selector = value;
            return this;
        }

        public Builder externalName(String value) {
            externalName = value;
            return this;
        }

        public Builder publishNotReadyAddresses(boolean value) {
            publishNotReadyAddresses = value;
            return this;
        }

        public Builder created(long value) {
            created = value;
            return this;
        }

        public Service build() {
            return new Service(
                    namespace,
                    name,
                    proxyName,
                    type,
                    clusterIp,
                    clusterIps,
                    ipFamilies,
                    ports,
                    externalIps,
                    ingress,
                    loadBalancerSourceRanges,
                    sessionAffinity,
                    externalTrafficPolicy,
                    internalTrafficPolicy,
                    healthCheckNodePort,
                    selector,
                    externalName,
                    publishNotReadyAddresses,
                    created);
        }
    }

    /** The same Service without its external IPs. */
    public Service withoutExternalIps() {
        return new Service(
                namespace,
                name,
                proxyName,
                type,
                clusterIp,
                clusterIps,
                ipFamilies,
                ports,
                List.of(),
                ingress,
                loadBalancerSourceRanges,
                sessionAffinity,
                externalTrafficPolicy,
                internalTrafficPolicy,
                healthCheckNodePort,
                selector,
                externalName,
                publishNotReadyAddresses,
                created);
    }

    @Override
    public ObjectKey key() {
        return new ObjectKey(ObjectKey.Kind.SERVICE, namespace, name);
    }
}
