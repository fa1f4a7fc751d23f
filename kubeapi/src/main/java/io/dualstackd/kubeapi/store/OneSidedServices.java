package io.dualstackd.kubeapi.store;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Counts the Services of both families that have ready endpoints of one family only: packets of the other are refused. */
final class OneSidedServices {
    private final Map<IpFamily, Integer> missing = new EnumMap<>(IpFamily.class);

    OneSidedServices() {
        for (IpFamily family : IpFamily.values()) {
            missing.put(family, 0);
        }
    }

    /** The state of a Service is replaced. */
    void replaced(ServiceState before, ServiceState now) {
        count(missing(before), -1);
        count(missing(now), 1);
    }

    private void count(Optional<IpFamily> family, int change) {
        if (family.isPresent()) {
            missing.merge(family.get(), change, Integer::sum);
        }
    }

    /** The number of Services, by the family of which they have no endpoint. */
    Map<IpFamily, Integer> counts() {
        return Collections.unmodifiableMap(new EnumMap<>(missing));
    }

    private static Optional<IpFamily> missing(ServiceState state) {
        if (state.service().isEmpty() || !isDualStack(state.service().get())) {
            return Optional.empty();
        }
        boolean ipv4 = hasReady(state, EndpointSlice.AddressType.IPV4);
        boolean ipv6 = hasReady(state, EndpointSlice.AddressType.IPV6);
        return ipv4 == ipv6 ? Optional.empty() : Optional.of(ipv4 ? IpFamily.IPV6 : IpFamily.IPV4);
    }

    static boolean isDualStack(Service service) {
        return service.ipFamilies().size() > 1 || service.clusterIps().size() > 1;
    }

    private static boolean hasReady(ServiceState state, EndpointSlice.AddressType type) {
        for (EndpointSlice slice : state.slices()) {
            if (slice.addressType() == type && slice.hasReady()) {
                return true;
            }
        }
        return false;
    }
}
