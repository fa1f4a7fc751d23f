package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pages.health.FamilyHealth;
import io.dualstackd.pages.health.ProxyHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The times of changes and syncs as the reconcilers record them, from which health answers are made. */
public final class HealthState {
    private final InstantSource wall;
    private final InstantSource steady;
    private final AtomicReference<ProxyHealth> health;

    /** As {@link #HealthState(InstantSource, InstantSource, Duration)}, with one clock for both. */
    public HealthState(InstantSource clock, Duration timeout) {
        this(clock, clock, timeout);
    }

    /**
     * @param wall the clock of the times in answers
     * @param steady the clock that ages are measured by; never set, so that a clock set back does not hide a family that is stuck
     * @param timeout a change that waits this long makes the proxy unhealthy
     */
    public HealthState(InstantSource wall, InstantSource steady, Duration timeout) {
        this.wall = wall;
        this.steady = steady;
        this.health = new AtomicReference<>(ProxyHealth.fresh(timeout));
    }

    /** Something changed that a sync of the family must put in force. */
    public void queued(IpFamily family) {
        Instant now = steady.instant();
        change(family, before -> before.queued(now));
    }

    /** Sources have been read completely, so syncs of the family can begin; may be called repeatedly. */
    public void due(IpFamily family) {
        if (health.get().family(family).due().isEmpty()) {
            Instant now = steady.instant();
            change(family, before -> before.due(now));
        }
    }

    /** A sync of the family begins. */
    public void taken(IpFamily family) {
        change(family, FamilyHealth::taken);
    }

    /** A sync of the family failed, whatever it was for. */
    public void failing(IpFamily family) {
        Instant now = steady.instant();
        change(family, before -> before.queued(now).taken());
    }

    /** A sync of the family succeeded. */
    public void updated(IpFamily family) {
        Instant now = steady.instant();
        change(family, before -> before.updated(now));
    }

    /** Sets how long a change may wait from now on. */
    public void timeout(Duration timeout) {
        health.updateAndGet(before -> new ProxyHealth(before.families(), timeout));
    }

    private void change(IpFamily family, UnaryOperator<FamilyHealth> step) {
        health.updateAndGet(before -> before.with(family, step.apply(before.family(family))));
    }

    /** The current health, with times as {@link #now} counts them. */
    public ProxyHealth health() {
        return health.get().shifted(Duration.between(steady.instant(), wall.instant()));
    }

    /** How long the oldest change of each family has waited to be in force; zero where none waits. */
    public Map<IpFamily, Duration> waits() {
        return health.get().waits(steady.instant());
    }

    public boolean isHealthy() {
        return health.get().isHealthy(steady.instant());
    }

    /** The current time by the clock of the answers. */
    public Instant now() {
        return wall.instant();
    }
}
