package io.dualstackd.agent.metrics;

import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot of a {@link FamilyMeter}.
 *
 * @param passes all of them, as kube-proxy counts synchronisations
 * @param fullPasses those that compared all
 * @param partialPasses those of a few changes
 * @param programming from the trigger somewhere in the cluster until in force
 * @param changes from the arrival of a change until in force
 * @param transactions in the kernel
 * @param sweeps for stale flows
 * @param lastInForce the last successful sync
 * @param lastQueued the last arrival of a change
 * @param taken changes that syncs have taken
 * @param waiting changes that no sync has taken yet
 * @param partialFailures syncs of a few changes that failed
 */
public record FamilyFigures(
        IpFamily family,
        Distribution passes,
        Distribution fullPasses,
        Distribution partialPasses,
        Distribution programming,
        Distribution changes,
        Distribution transactions,
        Distribution sweeps,
        Optional<Instant> lastInForce,
        Optional<Instant> lastQueued,
        WithoutLocal withoutLocal,
        ChangeMetadata.Counts taken,
        ChangeMetadata.Counts waiting,
        long partialFailures) {}
