package io.dualstackd.agent.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How fresh one family's rules are.
 *
 * @param lastUpdated the last successful pass
 * @param waiting the oldest change no pass has taken yet
 * @param inWork the oldest change that was taken, but is not in force yet
 */
public record FamilyHealth(Optional<Instant> lastUpdated, Optional<Instant> waiting, Optional<Instant> inWork) {
    /** Before the first change. */
    public static final FamilyHealth FRESH = new FamilyHealth(Optional.empty(), Optional.empty(), Optional.empty());

    /** Something changed. */
    public FamilyHealth queued(Instant now) {
        return waiting.isPresent() ? this : new FamilyHealth(lastUpdated, Optional.of(now), inWork);
    }

    /** A pass begins with all that changed so far. */
    public FamilyHealth taken() {
        return new FamilyHealth(lastUpdated, Optional.empty(), inWork.or(() -> waiting));
    }

    /** The pass put it in force; what changed meanwhile waits on. */
    public FamilyHealth updated(Instant now) {
        return new FamilyHealth(Optional.of(now), waiting, Optional.empty());
    }

    /** Nothing waits too long. A family that never came through is not judged: the node may not have it at all. */
    public boolean isHealthy(Instant now, Duration timeout) {
        return lastUpdated.isEmpty()
                || inWork.or(() -> waiting)
                        .map(since -> Duration.between(since, now).compareTo(timeout) < 0)
                        .orElse(true);
    }
}
