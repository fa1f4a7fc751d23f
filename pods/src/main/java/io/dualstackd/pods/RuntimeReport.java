package io.dualstackd.pods;

import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeVersion;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of the connection to the container runtime.
 *
 * @param endpoint the endpoint of the runtime
 * @param version known once it has answered
 * @param conditions as the runtime last reported them
 * @param listed when its lists were last read; empty before the first time
 * @param outage present while it does not answer
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
    /** @param reason the error of the last attempt */
    public record Outage(Instant since, String reason) {}

    /** No request was made yet. */
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
