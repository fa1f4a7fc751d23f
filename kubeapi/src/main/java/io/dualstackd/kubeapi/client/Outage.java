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
 * What people are told of trouble with the server: one line when it begins, one when its cause is another one than what was told last, one when
 * it is over, to however many watches it happens. Thread-safe.
 */
public final class Outage {
    /** A connection may break once without being worth a line. */
    private static final int WORTH_A_LINE = 2;

    /** A cause that comes and goes is told again after this time. */
    private static final Duration AGAIN = Duration.ofMinutes(5);

    /** Where each attempt fails in other words, so many of them are told at once. */
    private static final int MOST_CAUSES = 20;

    /** The latest last. */
    private final Map<String, ResourceFailure> now = new LinkedHashMap<>();

    private final Map<String, Instant> causes = new HashMap<>();
    private final Map<String, String> told = new TreeMap<>();
    private Optional<Instant> since = Optional.empty();
    private Optional<Instant> over = Optional.empty();

    /** A line for the log. */
    public sealed interface Line {
        /** It began, or became something else. */
        record Begun(ResourceFailure resourceFailure) implements Line {}

        /** It is over. */
        record Over(Duration after) implements Line {}
    }

    /**
     * An attempt failed.
     *
     * @param failures in a row, this one included
     * @param complete the resource has been read before, so there is something to go on with
     */
    public synchronized List<Line> failed(
            Resource resource, ResourceFailure resourceFailure, int failures, boolean complete, Instant when) {
        now.remove(resource.name());
        now.put(resource.name(), resourceFailure);
        since = Optional.of(since.orElse(when));
        if (complete && failures < WORTH_A_LINE) {
            return List.of();
        }
        if (told.containsValue(resourceFailure.what())) {
            // One token for all of them is one line.
            told.put(resource.name(), resourceFailure.what());
            return List.of();
        }
        causes.values().removeIf(last -> Duration.between(last, when).compareTo(AGAIN) >= 0);
        if (causes.containsKey(resourceFailure.what()) || causes.size() >= MOST_CAUSES) {
            return List.of();
        }
        causes.put(resourceFailure.what(), when);
        told.put(resource.name(), resourceFailure.what());
        return List.of(new Line.Begun(resourceFailure));
    }

    /** The resource is being read again. */
    public synchronized List<Line> works(Resource resource, Instant when) {
        if (now.remove(resource.name()) == null || !now.isEmpty()) {
            return List.of();
        }
        List<Line> lines = new ArrayList<>();
        if (!told.isEmpty()) {
            lines.add(new Line.Over(Duration.between(since.orElse(when), when)));
        }
        told.clear();
        causes.clear();
        since = Optional.empty();
        over = Optional.of(when);
        return lines;
    }

    /** Since when not everything can be read; empty when all is well. */
    public synchronized Optional<Instant> since() {
        return since;
    }

    /** When the last one was over; empty before the first. */
    public synchronized Optional<Instant> over() {
        return over;
    }

    /** What is wrong with it now. */
    public synchronized Optional<ResourceFailure> of(Resource resource) {
        return Optional.ofNullable(now.get(resource.name()));
    }

    /**
     * What is wrong with anything, the latest; that nobody answers comes first. A connection that broke once is nothing yet: whoever is woken by a
     * metric would find all well again.
     */
    public synchronized Optional<ResourceFailure> worst() {
        if (told.isEmpty()) {
            return Optional.empty();
        }
        return now.values().stream()
                .reduce((before, later) -> later.reachable() && !before.reachable() ? before : later);
    }
}
