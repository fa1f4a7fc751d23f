package io.dualstackd.agent.app;

import io.dualstackd.agent.metrics.FamilyMeter;
import io.dualstackd.agent.metrics.ServicesWithoutLocal;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.io.DesiredState;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.WantedServices;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Measures one reconciler: when a sync takes its input, and when it reports its result. It runs on the reconciler's thread, so a
 * measurement costs one reading of the clock.
 */
final class ReconcilerMeter implements DesiredState {
    private final FamilyMeter meter;
    private final DesiredState input;
    private final ServicesWithoutLocal withoutLocal = new ServicesWithoutLocal();
    private long began;
    private boolean something;

    ReconcilerMeter(FamilyMeter meter, DesiredState input) {
        this.meter = meter;
        this.input = input;
    }

    @Override
    public boolean complete() {
        return input.complete();
    }

    @Override
    public Snapshot snapshot() {
        began = System.nanoTime();
        meter.taken();
        Snapshot snapshot = input.snapshot();
        something = !snapshot.changed().isEmpty();
        return new Snapshot(snapshot.node(), snapshot.addresses(), snapshot.changed(), new Watched(snapshot.wanted()));
    }

    /** Receives the status of the reconciler after every sync. */
    void onStatus(FamilyStatus status) {
        switch (status.state()) {
            case IN_FORCE -> passed(status, true);
            case FAILING -> passed(status, false);
            case WAITING, STOPPED -> {}
        }
    }

    private void passed(FamilyStatus status, boolean inForce) {
        long now = System.nanoTime();
        Optional<SyncResult> report = status.lastPass();
        boolean full = report.map(SyncResult::comparedAll).orElse(true);
        // A look at a kernel that is up to date is no synchronisation; counting it would make all of them look fast.
        if (!inForce || something || full || report.map(r -> r.ops() > 0).orElse(false)) {
            meter.passed(now - began, full);
        }
        if (!inForce && !full) {
            meter.partialFailed();
        }
        if (inForce) {
            meter.inForce(Instant.now(), now);
            meter.withoutLocal(withoutLocal.sum());
        }
        // When the reconciler finds something to repair, another sync follows without a take.
        began = now;
        something = false;
    }

    /** Notes every Service that the sync reads. */
    private final class Watched implements WantedServices {
        private final WantedServices wanted;

        Watched(WantedServices wanted) {
            this.wanted = wanted;
        }

        @Override
        public Optional<ServiceView> find(ServiceKey key) {
            Optional<ServiceView> service = wanted.find(key);
            withoutLocal.put(key, service);
            return service;
        }

        @Override
        public void forEach(Consumer<ServiceView> each) {
            withoutLocal.clear();
            wanted.forEach(service -> {
                withoutLocal.put(service.key(), Optional.of(service));
                each.accept(service);
            });
        }
    }
}
