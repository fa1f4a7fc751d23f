package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.diff.SyncResult.Totals;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules that are always in force already. */
public final class RulesInForce implements Syncer {
    @Override
    public SyncResult run(Planner planner, Set<ServiceKey> changed, ServicePlans services) {
        return new SyncResult(
                new Result.InForce(),
                false,
                SyncResult.Work.NONE,
                new Totals(0, 0, 0, 0, 0),
                Map.of(),
                List.of(),
                Set.of());
    }

    @Override
    public void invalidateAll() {}

    @Override
    public boolean changedByOthers() {
        return false;
    }

    @Override
    public void retryRefused() {}

    @Override
    public void close() {}
}
