package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import java.util.List;
import java.util.Set;

/**
 * What this node knows by itself about endpoints, beside what sources say. The store asks it under its lock, so it needs none of its own
 * and must be quick.
 */
public interface StoreOverlay {
    /** Knows nothing. */
    StoreOverlay NOTHING = new StoreOverlay() {
        @Override
        public List<Update> derived(List<Update> updates) {
            return List.of();
        }

        @Override
        public void onReplaced(ServiceKey key, ServiceState now) {}

        @Override
        public ServiceState shown(ServiceKey key, ServiceState state) {
            return state;
        }
    };

    /** What follows from news of a source; becomes visible together with them. */
    List<Update> derived(List<Update> updates);

    /** What is said of a service is now this. */
    void onReplaced(ServiceKey key, ServiceState now);

    /** What consumers shall see of it. */
    ServiceState shown(ServiceKey key, ServiceState state);

    /**
     * News of this node.
     *
     * @param touched services that are to be shown differently although nothing is said differently
     */
    record News(List<Update> updates, Set<ServiceKey> touched) {
        /** Nothing is different. */
        public static final News NONE = new News(List.of(), Set.of());

        public News {
            updates = List.copyOf(updates);
            touched = Set.copyOf(touched);
        }
    }
}
