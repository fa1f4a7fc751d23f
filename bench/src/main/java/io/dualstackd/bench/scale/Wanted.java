package io.dualstackd.bench.scale;

import io.dualstackd.dataplane.io.WantedServices;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The wanted Services. Views are built when they are requested, as in the daemon, so building them is measured and storing them is not. */
final class Wanted implements WantedServices {
    private final Cluster cluster;
    private final Map<Integer, ServiceShape> unusual = new HashMap<>();

    Wanted(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Applies the change, and returns which Services changed. */
    Set<ServiceKey> put(ServiceChange serviceChange) {
        serviceChange.looks().forEach((n, serviceShape) -> {
            if (serviceShape.equals(cluster.usual(n))) {
                unusual.remove(n);
            } else {
                unusual.put(n, serviceShape);
            }
        });
        return serviceChange.looks().keySet().stream().map(Cluster::key).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<ServiceView> find(ServiceKey key) {
        return view(Cluster.number(key));
    }

    @Override
    public void forEach(Consumer<ServiceView> each) {
        for (int n = 0; n < cluster.services(); n++) {
            view(n).ifPresent(each);
        }
    }

    private Optional<ServiceView> view(int n) {
        return cluster.view(n, unusual.getOrDefault(n, cluster.usual(n)));
    }
}
