package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.ApiStatus;
import java.time.Duration;
import java.util.Optional;

/** What came of an {@link ListWatchRequest}, as far as it matters for what comes next. */
public sealed interface WatchOutcome {
    int UNAUTHORIZED = 401;
    int FORBIDDEN = 403;

    /** A page was read to its end. */
    record Listed(String resourceVersion, Optional<String> continueToken) implements WatchOutcome {}

    /** The same answer goes on, and from here everything before is known: after the first events of a streamed list, and after any event. */
    record Reached(String resourceVersion) implements WatchOutcome {}

    /**
     * The server ended a watch in order.
     *
     * @param lively it told something, or lasted a while
     */
    record Ended(boolean lively) implements WatchOutcome {}

    /**
     * No connection, or it broke, or nothing came for too long.
     *
     * @param begun the answer had begun
     * @param lively as in {@link Ended}
     */
    record Cut(boolean begun, boolean lively, String why) implements WatchOutcome {}

    /** An answer that had begun told nothing more, not even a bookmark, for longer than a server lets pass. */
    record Silent(String why) implements WatchOutcome {}

    /**
     * A watch told a version from before the one it began with: the server's data was put back.
     *
     * @param resourceVersion the older one
     */
    record WentBack(String resourceVersion) implements WatchOutcome {}

    /** What came is not what was asked for. */
    record Garbled(String why) implements WatchOutcome {}

    /**
     * The server says no, at once or in the middle of a watch.
     *
     * @param retryAfter zero when the server names no time
     */
    record Refused(ApiStatus status, Duration retryAfter) implements WatchOutcome {}

    /**
     * The server forbids what it may not have, but shows nothing else either: it knows nobody's rights yet, as after its start. So this
     * says nothing about what there is.
     */
    record Undecided(ApiStatus status) implements WatchOutcome {}

    /**
     * Whether nobody answered or knew us: once the server answers anybody, it will answer this, too. A load balancer without a server, and
     * a server that is not ready, are nobody. An answer that broke is none of these; it might break again and again.
     */
    default boolean isNoAnswer() {
        return switch (this) {
            case Cut(boolean begun, boolean ignored, String ignored2) -> !begun;
            case Refused(ApiStatus status, Duration ignored) ->
                switch (status.code()) {
                    case UNAUTHORIZED, 502, 503, 504 -> true;
                    default -> false;
                };
            case Undecided ignored -> true;
            case Listed ignored -> false;
            case Reached ignored -> false;
            case Ended ignored -> false;
            case Garbled ignored -> false;
            case Silent ignored -> false;
            case WentBack ignored -> false;
        };
    }
}
