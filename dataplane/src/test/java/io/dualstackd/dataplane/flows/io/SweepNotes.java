package io.dualstackd.dataplane.flows.io;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Notes in a sweep the changes that were passed to a syncer. */
public final class SweepNotes {
    private SweepNotes() {}

    public static void note(
            StaleFlowSweep sweep,
            Planner planner,
            Set<ServiceKey> changed,
            Map<ServiceKey, ServiceView> views,
            Instant now) {
        sweep.note(planner);
        changed.forEach(key -> sweep.note(key, Optional.ofNullable(views.get(key)), now));
    }
}
