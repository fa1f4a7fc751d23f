package io.dualstackd.kubeapi.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides which log lines to write about failures of the server: one when it begins, one when its cause differs from the one logged last,
 * and one when it is over, regardless of how many watches are affected. Thread-safe.
 */
public final class Outage {
    /** Number of failures in a row from which a line is logged: a connection may break once. */
    private static final int WORTH_A_LINE = 2;

    /** A cause that recurs is logged again after this time. */
    private static final Duration AGAIN = Duration.ofMinutes(5);

    /** Maximum number of causes, for the case that each attempt fails with a different message. */
    private static final int MOST_CAUSES = 20;

    /** The current failures, the latest last. */
    private final Map<String, ResourceFailure> now = new LinkedHashMap<>();

    private final Map<String, Instant> causes = new HashMap<>();
    private final Map<String, String> reported = new TreeMap<>();
    private Optional<Instant> since = Optional.empty();
    private Optional<Instant> over = Optional.empty();

    /** A line for the log. */
    public sealed interface Line {
        /** The outage began, or its cause changed. */
        record Begun(ResourceFailure resourceFailure) implements Line {}

        /** The outage is over. */
        record Over(Duration after) implements Line {}
    }

    /**
     * An attempt failed.
     *
     * @param failures in a row, this one included
     * @param complete the resource has been read before, so its last state is still in use
     */
    public synchronized List<Line> failed(
            Resource resource, ResourceFailure resourceFailure, int failures, boolean complete, Instant when) {
        now.remove(resource.name());
        now.put(resource.name(), resourceFailure);
        since = Optional.of(since.orElse(when));
        if (complete && failures < WORTH_A_LINE) {
            return List.of();
        }
        if (reported.containsValue(resourceFailure.what())) {
            // A token that is rejected for all resources is one line.
            reported.put(resource.name(), resourceFailure.what());
            return List.of();
        }
        causes.values().removeIf(last -> Duration.between(last, when).compareTo(AGAIN) >= 0);
        if (causes.containsKey(resourceFailure.what()) || causes.size() >= MOST_CAUSES) {
            return List.of();
        }
        causes.put(resourceFailure.what(), when);
        reported.put(resource.name(), resourceFailure.what());
        return List.of(new Line.Begun(resourceFailure));
    }

    /** The resource can be read again. */
    public synchronized List<Line> works(Resource resource, Instant when) {
        if (now.remove(resource.name()) == null || !now.isEmpty()) {
            return List.of();
        }
        List<Line> lines = new ArrayList<>();
        if (!reported.isEmpty()) {
            lines.add(new Line.Over(Duration.between(since.orElse(when), when)));
        }
        reported.clear();
        causes.clear();
        since = Optional.empty();
        over = Optional.of(when);
        return lines;
    }

    /** Since when not all resources can be read; empty when all can. */
    public synchronized Optional<Instant> since() {
        return since;
    }

    /** When the last outage was over; empty before the first. */
    public synchronized Optional<Instant> over() {
        return over;
    }

    /**
     * The most important current failure: an unreachable server first, then the latest. A connection that broke once does not count; it
     * would be repaired before anyone reacts to an alert.
     */
    public synchronized Optional<ResourceFailure> worst() {
        if (reported.isEmpty()) {
            return Optional.empty();
        }
        return now.values().stream()
                .reduce((before, later) -> later.reachable() && !before.reachable() ? before : later);
    }
}
