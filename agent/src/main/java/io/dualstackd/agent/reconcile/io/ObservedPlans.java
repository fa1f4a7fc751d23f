package io.dualstackd.agent.reconcile.io;

import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.ServicePlan;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Passes every plan that a sync reads to the observers; a Service that is broken has none. */
final class ObservedPlans implements ServicePlans {
    private final ServicePlans plans;
    private final List<SyncObserver> observers;
    private final BrokenServices broken;
    /** Services that changed and that the sync has not read yet. */
    private final Set<ServiceKey> unread;

    ObservedPlans(DesiredState.Snapshot snapshot, List<SyncObserver> observers, BrokenServices broken) {
        this.plans = snapshot.services();
        this.observers = observers;
        this.broken = broken;
        this.unread = new HashSet<>(snapshot.changed());
    }

    @Override
    public Optional<ServicePlan> find(ServiceKey key) {
        Optional<ServicePlan> plan = broken.contains(key) ? Optional.empty() : plans.find(key);
        read(key, plan);
        return plan;
    }

    @Override
    public void forEach(Consumer<ServicePlan> each) {
        observers.forEach(SyncObserver::onAllServices);
        plans.forEach(plan -> {
            if (!broken.contains(plan.key())) {
                read(plan.key(), Optional.of(plan));
                each.accept(plan);
            }
        });
    }

    /** Reads what changed but was not read by the sync: a full comparison does not read Services that are gone. */
    void readRest() {
        List.copyOf(unread).forEach(this::find);
    }

    private void read(ServiceKey key, Optional<ServicePlan> plan) {
        unread.remove(key);
        for (SyncObserver observer : observers) {
            observer.onService(key, plan);
        }
    }
}
