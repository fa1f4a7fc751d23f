package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.ApiStatus;
import java.time.Duration;
import java.util.Optional;

/** The result of a {@link ListWatchRequest}, as far as it determines the next one. */
public sealed interface WatchOutcome {
    int UNAUTHORIZED = 401;
    int FORBIDDEN = 403;
    int NOT_FOUND = 404;

    /** A page was read to its end. */
    record Listed(String resourceVersion, Optional<String> continueToken) implements WatchOutcome {}

    /** The response continues, and everything up to this version is known: after the initial events of a streamed list, and after any event. */
    record Reached(String resourceVersion) implements WatchOutcome {}

    /** The objects of a former process are in the store, as of this version; the server has not been asked yet. */
    record Restored(String resourceVersion) implements WatchOutcome {}

    /**
     * The server ended a watch regularly.
     *
     * @param lively it delivered an event, or lasted a while
     */
    record Ended(boolean lively) implements WatchOutcome {}

    /**
     * There was no connection, or it broke, or it was silent for too long.
     *
     * @param begun the response had begun
     * @param lively as in {@link Ended}
     */
    record Cut(boolean begun, boolean lively, String why) implements WatchOutcome {}

    /** A response that had begun delivered nothing more, not even a bookmark, for longer than a server is ever silent. */
    record Silent(String why) implements WatchOutcome {}

    /**
     * A watch delivered a version older than the one it began with: the server's data was restored.
     *
     * @param resourceVersion the older one
     */
    record WentBack(String resourceVersion) implements WatchOutcome {}

    /** The response is not of the requested form. */
    record Garbled(String why) implements WatchOutcome {}

    /**
     * The server refused the request, at once or in the middle of a watch.
     *
     * @param retryAfter zero when the server gives no time
     */
    record Refused(ApiStatus status, Duration retryAfter) implements WatchOutcome {}

    /**
     * The server refuses a resource that it may not have, but refuses all others, too: its authorization is not ready yet, as after its
     * start, or a load balancer without a server answers 404. So this does not show whether the resource exists.
     */
    record Undecided(ApiStatus status) implements WatchOutcome {}

    /**
     * Whether the server did not answer or did not accept the credentials: once it answers any request, it will answer this one, too. A
     * load balancer without a server, and a server that is not ready, count as no answer, unless they name a time to wait. A response that
     * broke does not; it might break again and again.
     */
    default boolean isNoAnswer() {
        return switch (this) {
            case Cut(boolean begun, boolean ignored, String ignored2) -> !begun;
            case Refused(ApiStatus status, Duration retryAfter) ->
                retryAfter.isZero()
                        && switch (status.code()) {
                            case UNAUTHORIZED, 502, 503, 504 -> true;
                            default -> false;
                        };
            case Undecided ignored -> true;
            case Listed _, Reached _, Restored _, Ended _, Garbled _, Silent _, WentBack _ -> false;
        };
    }
}
