package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The changes that a consumer has not taken yet. Several changes of one object are one entry with the last state.
 *
 * @param everything true the first time, unless the consumer reads the Services itself: an object that is not included does not exist
 * @param services each with its current state, {@link ServiceState#GONE} when it no longer exists
 * @param nodes by name, empty when the node no longer exists
 * @param serviceCidrs the networks of all ServiceCIDRs, when they changed
 * @param changeMetadata counts of the individual changes
 */
public record Changes(
        boolean everything,
        SortedMap<ServiceKey, ServiceState> services,
        SortedMap<String, Optional<Node>> nodes,
        Optional<List<IpPrefix>> serviceCidrs,
        ChangeMetadata changeMetadata) {
    public Changes {
        services = Collections.unmodifiableSortedMap(new TreeMap<>(services));
        serviceCidrs = serviceCidrs.map(List::copyOf);
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    }
}
