package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import java.util.List;
import java.util.Set;

/**
 * Local changes to endpoints that this node makes, in addition to the sources. The store calls it under its lock, so it needs none of its
 * own and must be fast.
 */
public interface StoreOverlay {
    /** Changes nothing. */
    StoreOverlay NOTHING = new StoreOverlay() {};

    /** Returns updates derived from those of a source; they become visible together. */
    default List<Update> derived(List<Update> updates) {
        return List.of();
    }

    /** The store has these updates, which this overlay made. Those that were never in the store must be returned again. */
    default void delivered(List<Update> updates) {}

    /** The state of a service in the store was replaced. */
    default void onReplaced(ServiceKey key, ServiceState now) {}

    /** Returns the state of a service that consumers receive. */
    default ServiceState shown(ServiceKey key, ServiceState state) {
        return state;
    }

    /**
     * Changes by this node.
     *
     * @param touched services whose shown state changes although the stored one does not
     */
    record LocalChanges(List<Update> updates, Set<ServiceKey> touched) {
        /** No changes. */
        public static final LocalChanges NONE = new LocalChanges(List.of(), Set.of());

        public LocalChanges {
            updates = List.copyOf(updates);
            touched = Set.copyOf(touched);
        }
    }
}
