package io.dualstackd.agent.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What people are told of trouble with the server: one line when it begins, one when it is over, whatever happens in between and to however
 * many watches. Thread-safe.
 */
public final class Outage {
    /** A connection may break once without being worth a line. */
    private static final int WORTH_A_LINE = 2;

    private final Map<String, Trouble> now = new TreeMap<>();
    private final Map<String, String> told = new TreeMap<>();
    private Optional<Instant> since = Optional.empty();
    private Optional<Instant> over = Optional.empty();
    private boolean toldUnreachable;

    /** A line for the log. */
    public sealed interface Line {
        /** It began, or became something else. */
        record Begun(Trouble trouble) implements Line {}

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
            Resource resource, Trouble trouble, int failures, boolean complete, Instant when) {
        now.put(resource.name(), trouble);
        since = Optional.of(since.orElse(when));
        if (complete && failures < WORTH_A_LINE) {
            return List.of();
        }
        if (trouble.reachable()) {
            // One token for all of them is one line.
            boolean said = told.containsValue(trouble.what());
            told.put(resource.name(), trouble.what());
            return said ? List.of() : List.of(new Line.Begun(trouble));
        }
        if (toldUnreachable) {
            return List.of();
        }
        toldUnreachable = true;
        return List.of(new Line.Begun(trouble));
    }

    /** The resource is being read again. */
    public synchronized List<Line> works(Resource resource, Instant when) {
        if (now.remove(resource.name()) == null || !now.isEmpty()) {
            return List.of();
        }
        List<Line> lines = new ArrayList<>();
        if (toldUnreachable || !told.isEmpty()) {
            lines.add(new Line.Over(Duration.between(since.orElse(when), when)));
        }
        told.clear();
        toldUnreachable = false;
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
    public synchronized Optional<Trouble> of(Resource resource) {
        return Optional.ofNullable(now.get(resource.name()));
    }

    /**
     * What is wrong with anything; that nobody answers comes first. A connection that broke once is nothing yet: whoever is woken by a
     * metric would find all well again.
     */
    public synchronized Optional<Trouble> worst() {
        if (!toldUnreachable && told.isEmpty()) {
            return Optional.empty();
        }
        return now.values().stream().min((a, b) -> Boolean.compare(a.reachable(), b.reachable()));
    }
}
