package io.dualstackd.kubeapi.objects;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A {@code discovery.k8s.io/v1 EndpointSlice}.
 *
 * @param service value of the label {@code kubernetes.io/service-name}; without it the slice belongs to no Service
 * @param headless has the label {@code service.kubernetes.io/headless}: not used by a proxy
 * @param endpoints packed: each is created on access; empty for {@code FQDN}, whose addresses are host names
 * @param triggerTime annotation {@code endpoints.kubernetes.io/last-change-trigger-time}
 */
public record EndpointSlice(
        String namespace,
        String name,
        Optional<String> service,
        boolean headless,
        AddressType addressType,
        List<Port> ports,
        List<Endpoint> endpoints,
        Optional<Instant> triggerTime)
        implements ApiObject {
    public EndpointSlice {
        ports = List.copyOf(ports);
        endpoints = PackedEndpoints.of(endpoints);
    }

    /** Whether an endpoint has this address, in 4 or 16 bytes. */
    public boolean has(byte[] address) {
        return endpoints instanceof PackedEndpoints packed && packed.has(address);
    }

    /** Whether an endpoint is ready; creates no endpoints. */
    public boolean hasReady() {
        return endpoints instanceof PackedEndpoints packed && packed.hasReady();
    }

    /** Receives the parts of an endpoint that a proxy uses. */
    public interface EndpointVisitor {
        void endpoint(Ip address, Conditions conditions, String nodeName, Set<String> zoneHints, Set<String> nodeHints);
    }

    /** Passes each endpoint to {@code to}, without creating it. */
    public void visit(EndpointVisitor to) {
        if (endpoints instanceof PackedEndpoints packed) {
            packed.visit(to);
        }
    }

    /** Passes each address to {@code to}, without creating the endpoints. */
    public void addresses(Consumer<Ip> to) {
        if (endpoints instanceof PackedEndpoints packed) {
            packed.addresses(to);
        }
    }

    /** The same with other endpoints. */
    public EndpointSlice with(List<Endpoint> others) {
        return new EndpointSlice(namespace, name, service, headless, addressType, ports, others, triggerTime);
    }

    /** {@code addressType}. */
    public enum AddressType {
        IPV4("IPv4"),
        IPV6("IPv6"),
        FQDN("FQDN");

        private final String label;

        AddressType(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /**
     * A port of all endpoints of the slice.
     *
     * @param name may be present and empty; without it a proxy ignores the entry
     * @param port 0 to 65535; absent or 0: a proxy ignores the entry
     */
    public record Port(Optional<String> name, Proto protocol, OptionalInt port) {}

    /**
     * One endpoint, usually a pod.
     *
     * @param address the first one; the API reserves the rest
     * @param nodeName empty when unknown
     * @param zoneHints names of {@code hints.forZones}
     * @param nodeHints names of {@code hints.forNodes}
     * @param hostname its label in DNS; empty when it has none, and for objects of an API server, whose names the cluster's DNS answers
     */
    public record Endpoint(
            Ip address,
            Conditions conditions,
            String nodeName,
            Set<String> zoneHints,
            Set<String> nodeHints,
            String hostname) {
        /** An endpoint without a hostname. */
        public Endpoint(
                Ip address, Conditions conditions, String nodeName, Set<String> zoneHints, Set<String> nodeHints) {
            this(address, conditions, nodeName, zoneHints, nodeHints, "");
        }

        public Endpoint {
            zoneHints = Set.copyOf(zoneHints);
            nodeHints = Set.copyOf(nodeHints);
        }
    }

    /** {@code conditions}; each may be unknown. */
    public record Conditions(Optional<Boolean> ready, Optional<Boolean> serving, Optional<Boolean> terminating) {
        /** All unknown. */
        public static final Conditions NONE = new Conditions(Optional.empty(), Optional.empty(), Optional.empty());

        /** Returns a shared instance: there are few combinations and many endpoints. */
        public static Conditions of(Optional<Boolean> ready, Optional<Boolean> serving, Optional<Boolean> terminating) {
            return ConditionBits.shared(ready, serving, terminating);
        }
    }

    @Override
    public ObjectKey key() {
        return new ObjectKey(ObjectKey.Kind.ENDPOINT_SLICE, namespace, name);
    }
}
