package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.pages.metrics.ServicesWithoutLocal;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Measures one reconciler: when a sync takes its input, and when it reports its result. It runs on the reconciler's thread, so a
 * measurement costs one reading of the clock.
 */
final class ReconcilerMeter implements SyncObserver {
    private final FamilyMeter meter;
    private final Platform platform;
    private final ServicesWithoutLocal withoutLocal = new ServicesWithoutLocal();
    private long began;
    private boolean something;
    /** Syncs that the kernel had refused when the last one ended. */
    private long refused;

    ReconcilerMeter(FamilyMeter meter, Platform platform) {
        this.platform = platform;
        this.meter = meter;
    }

    @Override
    public void onStart() {
        began = platform.nanoTime();
        meter.taken();
    }

    @Override
    public void onSnapshot(Planner planner, Set<ServiceKey> changed, ChangeMetadata metadata) {
        meter.arrived(metadata);
        something = !changed.isEmpty();
    }

    @Override
    public void onAllServices() {
        withoutLocal.clear();
    }

    @Override
    public void onService(ServiceKey key, Optional<ServicePlan> plan) {
        withoutLocal.put(key, plan);
    }

    @Override
    public void onSweep(Duration took) {
        meter.swept(took.toNanos());
    }

    @Override
    public void onStatus(FamilyStatus status) {
        switch (status.state()) {
            case IN_FORCE -> passed(status, true);
            case FAILING -> passed(status, false);
            case WAITING, STOPPED -> {}
        }
    }

    private void passed(FamilyStatus status, boolean inForce) {
        long now = platform.nanoTime();
        Optional<SyncResult> report = status.lastSync();
        boolean full = report.map(SyncResult::comparedAll).orElse(true);
        // A look at a kernel that is up to date is no synchronisation; counting it would make all of them look fast.
        if (!inForce || something || full || report.map(r -> r.ops() > 0).orElse(false)) {
            meter.passed(now - began, full);
        }
        // A sync that another program outran is no failure, and after an internal error the status still has the result
        // of the one before.
        if (!full && status.counts().refused() > refused) {
            meter.partialFailed();
        }
        refused = status.counts().refused();
        if (inForce) {
            meter.inForce(platform.instant(), now);
            meter.withoutLocal(withoutLocal.sum());
        }
        // When the reconciler finds something to repair, another sync follows without a take.
        began = now;
        something = false;
    }
}
