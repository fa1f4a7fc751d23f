package io.dualstackd.kubeapi.objects;

import io.dualstackd.netlink.ip.Ip;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A {@code v1 Endpoints}: the form of endpoints before there were EndpointSlices, still written by hand for Services without a selector.
 *
 * @param mirrored false when the object says that no slices are to be made of it, or is the lock of a leader election
 * @param headless has the label {@code service.kubernetes.io/headless}
 * @param triggerTime annotation {@code endpoints.kubernetes.io/last-change-trigger-time}
 */
public record Endpoints(
        String namespace,
        String name,
        boolean mirrored,
        boolean headless,
        List<Subset> subsets,
        Optional<Instant> triggerTime)
        implements ApiObject {
    public Endpoints {
        subsets = List.copyOf(subsets);
    }

    /** Addresses that have the same ports. */
    public record Subset(List<Address> ready, List<Address> notReady, List<EndpointSlice.Port> ports) {
        public Subset {
            ready = List.copyOf(ready);
            notReady = List.copyOf(notReady);
            ports = List.copyOf(ports);
        }
    }

    /**
     * An address of either family.
     *
     * @param nodeName empty when unknown
     * @param hostname its label in DNS; empty when it has none
     */
    public record Address(Ip ip, String nodeName, String hostname) {}

    @Override
    public ObjectKey key() {
        return new ObjectKey(ObjectKey.Kind.ENDPOINTS, namespace, name);
    }
}
