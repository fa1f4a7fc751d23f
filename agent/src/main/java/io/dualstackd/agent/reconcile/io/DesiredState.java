package io.dualstackd.agent.reconcile.io;

import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import java.util.Set;

/** The input of one reconciler, read from the sources when a sync starts. */
public interface DesiredState {
    /** Whether every source has been read completely; before that, nothing is written and nothing is pruned. */
    boolean complete();

    /**
     * Takes the current state; only called once {@link #complete}.
     *
     * @param broken receives the Services for which a bug leaves no plan, when the plans are read
     */
    Snapshot snapshot(BrokenServices broken);

    /**
     * The current state of the node, what changed, and the plans of the current Services.
     *
     * @param planner the same object as in the last snapshot unless the node changed
     * @param changed Services that may have changed since the last snapshot, including those that are gone; empty in the first
     *     snapshot, when all are new
     * @param services valid until the next snapshot
     * @param metadata of the individual changes since the last snapshot
     */
    record Snapshot(Planner planner, Set<ServiceKey> changed, ServicePlans services, ChangeMetadata metadata) {}
}
