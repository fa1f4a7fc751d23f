package io.dualstackd.agent.reconcile;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.watch.ChangeAuthor;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Follows the syncs of one reconciler: what it takes, the very plans that become rules, and the result. Called on the reconciler's
 * thread, so no method may block.
 *
 * <p>The order in each sync: {@link #onStart}, {@link #onSnapshot}, the Services, {@link #onStatus}. A repair of external changes reads
 * Services and ends with a status, without a new snapshot.
 */
public interface SyncObserver {
    /** A sync begins; changes from now on may belong to the next one. */
    default void onStart() {}

    /**
     * The input of the sync was taken.
     *
     * @param planner makes the plans of this sync; the same object as before unless the node changed
     * @param changed each of these Services is passed to {@link #onService} before the sync ends
     */
    default void onSnapshot(Planner planner, Set<ServiceKey> changed, ChangeMetadata metadata) {}

    /** All Services follow, because the sync compares everything; any other Service is gone. */
    default void onAllServices() {}

    /**
     * The sync reads a Service; more than once when it compares again.
     *
     * @param plan empty when it is gone or has nothing in this family
     */
    default void onService(ServiceKey key, Optional<ServicePlan> plan) {}

    /**
     * The sync reverted external changes of our rules; the status follows.
     *
     * @param what chains and sets that were changed; empty when that is not known
     */
    default void onRepair(ChangeAuthor by, String what) {}

    /** A sync ended, or the state of the reconciler changed otherwise. */
    default void onStatus(FamilyStatus status) {}

    /** Stale flows were searched for. */
    default void onSweep(Duration took) {}

    /** An observer of the status only. */
    static SyncObserver ofStatus(Consumer<FamilyStatus> listener) {
        return new SyncObserver() {
            @Override
            public void onStatus(FamilyStatus status) {
                listener.accept(status);
            }
        };
    }
}
