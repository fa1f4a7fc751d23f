package io.dualstackd.dataplane.flows;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of a sweep for stale flows.
 *
 * @param lists how many dumps were read, 0 when there was nothing to look for
 * @param seen flows listed
 * @param deleted stale flows that are gone now
 * @param problem why the sweep could not be finished; the next one does the rest. Empty when there was no problem
 * @param next when to sweep again even if nothing changes
 */
public record SweepReport(int lists, long seen, long deleted, Optional<String> problem, Optional<Instant> next) {
    /** A sweep that failed before it deleted anything. */
    public static SweepReport failed(String problem, Instant again) {
        return new SweepReport(1, 0, 0, Optional.of(problem), Optional.of(again));
    }
}
