package io.dualstackd.agent.app;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When changes of each Service were last put in force, in one family. Services that did not change since the start are not kept, nor
 * those that are gone. Written by the reconciler's thread, read by any.
 */
final class LastChanges implements SyncObserver {
    private final InstantSource clock;
    private final Map<ServiceKey, Long> millis = new ConcurrentHashMap<>();
    private Set<ServiceKey> waiting = new HashSet<>();
    /** Whether the first rules are in force: what they are made from is no change. */
    private boolean started;

    LastChanges(InstantSource clock) {
        this.clock = clock;
    }

    /** Empty for a Service that did not change. */
    Optional<Instant> of(ServiceKey service) {
        return Optional.ofNullable(millis.get(service)).map(Instant::ofEpochMilli);
    }

    @Override
    public void onSnapshot(Planner planner, Set<ServiceKey> changed, ChangeMetadata metadata) {
        if (started) {
            waiting.addAll(changed);
        }
    }

    @Override
    public void onService(ServiceKey key, Optional<ServicePlan> plan) {
        if (plan.isEmpty()) {
            waiting.remove(key);
            millis.remove(key);
        }
    }

    @Override
    public void onStatus(FamilyStatus status) {
        if (status.state() != FamilyStatus.State.IN_FORCE) {
            return;
        }
        started = true;
        if (!waiting.isEmpty()) {
            Long now = clock.millis();
            waiting.forEach(key -> millis.put(key, now));
            waiting = new HashSet<>();
        }
    }
}
