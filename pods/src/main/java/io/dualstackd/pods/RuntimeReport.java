package io.dualstackd.pods;

import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeVersion;
import java.time.Instant;
import java.util.Optional;

/**
 * How it stands with the container runtime.
 *
 * @param endpoint where it was asked
 * @param version once it answered
 * @param conditions what it last said of itself
 * @param listed when its lists last came; empty before the first time
 * @param outage while it does not answer
 * @param trusted events are relied on, so lists are rare
 */
public record RuntimeReport(
        String endpoint,
        Optional<RuntimeVersion> version,
        Optional<RuntimeConditions> conditions,
        Optional<Instant> listed,
        Optional<Outage> outage,
        EventFlow events,
        boolean trusted) {
    /** @param reason what the last try said */
    public record Outage(Instant since, String reason) {}

    /** Nothing was asked yet. */
    public static RuntimeReport unasked(String endpoint) {
        return new RuntimeReport(
                endpoint,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                EventFlow.BROKEN,
                false);
    }
}
