package io.dualstackd.standalone.manifest;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Endpoints;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes EndpointSlices of Endpoints, by the rules of the mirroring controller of Kubernetes. */
public final class MirroredSlices {
    /** Value of the label {@code endpointslice.kubernetes.io/managed-by}. */
    public static final String MANAGER = "endpointslicemirroring-controller.k8s.io";

    /** The most addresses of a subset that are mirrored. */
    static final int MOST = 1_000;

    /** The suffix of the name in the store: no object of a file can have this in its name. */
    private static final String MARK = ":mirrored";

    private MirroredSlices() {}

    /** The key of a slice: its addresses are of one family and have the same ports. */
    private record Group(IpFamily family, List<EndpointSlice.Port> ports) {}

    /** Whether a slice of the store was made here. */
    public static boolean isMirrored(EndpointSlice stored) {
        return stored.name().endsWith(MARK);
    }

    /** The slices of these Endpoints: one for each family and list of ports. */
    static List<EndpointSlice> of(Endpoints endpoints) {
        Map<Group, Map<Ip, EndpointSlice.Endpoint>> groups = new LinkedHashMap<>();
        for (Endpoints.Subset subset : endpoints.subsets()) {
            int room = MOST;
            room -= add(groups, subset, subset.ready(), true, room);
            add(groups, subset, subset.notReady(), false, room);
        }
        List<EndpointSlice> slices = new ArrayList<>();
        groups.forEach((group, found) -> slices.add(new EndpointSlice(
                endpoints.namespace(),
                endpoints.name() + "-" + group.family.toString().toLowerCase(Locale.ROOT) + "-" + (slices.size() + 1)
                        + MARK,
                Optional.of(endpoints.name()),
                endpoints.headless(),
                group.family == IpFamily.IPV4 ? EndpointSlice.AddressType.IPV4 : EndpointSlice.AddressType.IPV6,
                group.ports,
                List.copyOf(found.values()),
                endpoints.triggerTime())));
        return slices;
    }

    /** The number of addresses of a subset that are left out because there are too many. */
    static int leftOut(Endpoints endpoints) {
        return endpoints.subsets().stream()
                .mapToInt(subset ->
                        Math.max(0, subset.ready().size() + subset.notReady().size() - MOST))
                .sum();
    }

    private static int add(
            Map<Group, Map<Ip, EndpointSlice.Endpoint>> groups,
            Endpoints.Subset subset,
            List<Endpoints.Address> addresses,
            boolean ready,
            int room) {
        EndpointSlice.Conditions conditions =
                EndpointSlice.Conditions.of(Optional.of(ready), Optional.empty(), Optional.empty());
        List<Endpoints.Address> mirrored = addresses.subList(0, Math.min(room, addresses.size()));
        for (Endpoints.Address address : mirrored) {
            groups.computeIfAbsent(new Group(address.ip().family(), subset.ports()), _ -> new LinkedHashMap<>())
                    .putIfAbsent(
                            address.ip(),
                            new EndpointSlice.Endpoint(
                                    address.ip(),
                                    conditions,
                                    address.nodeName(),
                                    Set.of(),
                                    Set.of(),
                                    address.hostname()));
        }
        return mirrored.size();
    }
}
