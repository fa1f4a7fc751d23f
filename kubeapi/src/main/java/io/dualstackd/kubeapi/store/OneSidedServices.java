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
        missing(before).ifPresent(family -> missing.merge(family, -1, Integer::sum));
        missing(now).ifPresent(family -> missing.merge(family, 1, Integer::sum));
    }

    /** The number of Services, by the family of which they have no endpoint. */
    Map<IpFamily, Integer> counts() {
        return Collections.unmodifiableMap(new EnumMap<>(missing));
    }

    private static Optional<IpFamily> missing(ServiceState state) {
        if (state.service().filter(OneSidedServices::isDualStack).isEmpty()) {
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
