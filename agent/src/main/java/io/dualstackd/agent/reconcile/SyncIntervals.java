package io.dualstackd.agent.reconcile;

import java.time.Duration;

/**
 * The times that a reconciler waits between its syncs.
 *
 * @param minGap at least this long from one sync to the next ({@code minSyncPeriod} of kube-proxy)
 * @param lookPeriod at most this long between two looks at the kernel's rules ({@code syncPeriod} of kube-proxy)
 * @param heartbeat how often a waiting reconciler shows that it lives
 */
public record SyncIntervals(Duration minGap, Duration lookPeriod, Duration heartbeat) {
    private static final Duration SELDOM = Duration.ofSeconds(30);

    public SyncIntervals(Duration minGap, Duration lookPeriod) {
        this(minGap, lookPeriod, SELDOM);
    }
}
