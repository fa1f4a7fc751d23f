package io.dualstackd.agent.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What the kernel should do according to the objects, now and before. Times are {@link System#nanoTime}. Thread-safe. */
final class Expected {
    private static final int LONGEST_HISTORY = 3000;
    private static final Set<String> ABSENT = Set.of();

    private final Map<Destination, Line> lines = new HashMap<>();

    private record Version(Set<String> endpoints, long from) {}

    private static final class Line {
        private final List<Version> versions = new ArrayList<>();
        /** When the kernel last held what was wanted at that time. */
        private long agreed;
    }

    /**
     * What a look at the kernel shows.
     *
     * @param nanos for which what was worst has been wrong
     * @param what was worst; empty when all is as it should be
     */
    record Judged(long nanos, String what) {}

    /** All at once; where the set is empty, no rule of its own should be. */
    synchronized void set(Map<Destination, Set<String>> wanted) {
        wanted.forEach((destination, endpoints) -> add(destination, Set.copyOf(endpoints)));
    }

    synchronized void remove(Set<Destination> destinations) {
        destinations.forEach(destination -> add(destination, ABSENT));
    }

    /** What all Services share: it is right as it is found once everything else is right. */
    synchronized void frame(Destination frame, Set<String> rules) {
        add(frame, Set.copyOf(rules));
    }

    private void add(Destination destination, Set<String> endpoints) {
        long now = System.nanoTime();
        Line line = lines.computeIfAbsent(destination, d -> new Line());
        if (line.versions.isEmpty()) {
            line.agreed = now;
        } else if (line.versions.getLast().endpoints().equals(endpoints)) {
            return;
        }
        line.versions.add(new Version(endpoints, now));
        if (line.versions.size() > LONGEST_HISTORY) {
            line.versions.subList(0, LONGEST_HISTORY / 2).clear();
        }
    }

    /** @param began before the kernel was read */
    synchronized Judged judge(Map<Destination, Set<String>> seen, boolean ipv6, long began) {
        Set<Destination> all = new HashSet<>(seen.keySet());
        lines.keySet().stream()
                .filter(destination -> destination.ip().contains(":") == ipv6)
                .filter(destination -> !destination.protocol().isEmpty())
                .forEach(all::add);
        long worst = 0;
        String what = "";
        for (Destination destination : all) {
            Set<String> found = seen.getOrDefault(destination, ABSENT);
            Line line = lines.get(destination);
            if (line == null) {
                if (destination.protocol().isEmpty()) {
                    continue;
                }
                line = new Line();
                line.agreed = began;
                line.versions.add(new Version(ABSENT, began));
                lines.put(destination, line);
            }
            agreement(line, found).ifPresent(until -> agreed(destination, until, began));
            long since = began - line.agreed;
            if (since > worst) {
                worst = since;
                what = destination + " is " + found + " and should be "
                        + line.versions.getLast().endpoints();
            }
        }
        return new Judged(worst, what);
    }

    private void agreed(Destination destination, long until, long began) {
        Line line = Objects.requireNonNull(lines.get(destination));
        line.agreed = Math.max(line.agreed, Math.min(until, began));
    }

    /** Until when this was right. */
    private static Optional<Long> agreement(Line line, Set<String> found) {
        for (int at = line.versions.size() - 1; at >= 0; at--) {
            if (line.versions.get(at).endpoints().equals(found)) {
                return Optional.of(
                        at == line.versions.size() - 1
                                ? Long.MAX_VALUE
                                : line.versions.get(at + 1).from());
            }
        }
        return Optional.empty();
    }
}
