package io.dualstackd.dataplane.flows;

import java.time.Instant;
import java.util.Optional;

/**
 * What came of looking for stale flows.
 *
 * @param lists how many lists were read, 0 when there was nothing to look for
 * @param seen flows listed
 * @param deleted stale flows that are gone now
 * @param problem why the sweep could not be finished; what it did not do it does at the next one. Empty when all is well
 * @param next when to sweep again even if nothing changes
 */
public record SweepReport(int lists, long seen, long deleted, Optional<String> problem, Optional<Instant> next) {
    /** One that did not get anywhere. */
    public static SweepReport failed(String problem, Instant again) {
        return new SweepReport(1, 0, 0, Optional.of(problem), Optional.of(again));
    }
}
