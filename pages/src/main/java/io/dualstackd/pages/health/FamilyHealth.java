package io.dualstackd.pages.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The freshness of one family's rules.
 *
 * @param lastUpdated the last successful sync
 * @param waiting the oldest change no sync has taken yet
 * @param inWork the oldest change that was taken, but is not in force yet
 * @param due when the first sync could begin: sources have been read completely. Empty before
 */
public record FamilyHealth(
        Optional<Instant> lastUpdated, Optional<Instant> waiting, Optional<Instant> inWork, Optional<Instant> due) {
    /** Before the first change. */
    public static final FamilyHealth FRESH =
            new FamilyHealth(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Sources have been read completely; a second call changes nothing. */
    public FamilyHealth due(Instant now) {
        return due.isPresent() ? this : new FamilyHealth(lastUpdated, waiting, inWork, Optional.of(now));
    }

    /** Something changed. */
    public FamilyHealth queued(Instant now) {
        return waiting.isPresent() ? this : new FamilyHealth(lastUpdated, Optional.of(now), inWork, due);
    }

    /** A sync begins with all that changed so far. */
    public FamilyHealth taken() {
        return new FamilyHealth(lastUpdated, Optional.empty(), inWork.or(() -> waiting), due);
    }

    /** The sync put it in force; what changed meanwhile still waits. */
    public FamilyHealth updated(Instant now) {
        return new FamilyHealth(Optional.of(now), waiting, Optional.empty(), due);
    }

    /** The same, with times by a clock that is ahead by so much. */
    FamilyHealth shifted(Duration ahead) {
        return new FamilyHealth(
                lastUpdated.map(time -> time.plus(ahead)),
                waiting.map(time -> time.plus(ahead)),
                inWork.map(time -> time.plus(ahead)),
                due.map(time -> time.plus(ahead)));
    }

    /** Whether rules have been in force once, or could have been, so that there is a result. */
    public boolean isJudged() {
        return lastUpdated.isPresent() || due.isPresent();
    }

    /**
     * The time since which something has waited to be in force. The wait for the first sync counts from the moment it could begin: while
     * sources are still being read, as they are for hours when an API server is down, what the kernel holds from before is the best there is.
     */
    Optional<Instant> waitingSince() {
        return lastUpdated.isPresent() ? inWork.or(() -> waiting) : due;
    }

    /** Whether no change waits too long. */
    public boolean isHealthy(Instant now, Duration timeout) {
        return waitingSince()
                .map(oldest -> Duration.between(oldest, now).compareTo(timeout) < 0)
                .orElse(true);
    }

    /** Whether rules have been in force at least once, and are fresh. */
    public boolean isReady(Instant now, Duration timeout) {
        return lastUpdated.isPresent() && isHealthy(now, timeout);
    }
}
