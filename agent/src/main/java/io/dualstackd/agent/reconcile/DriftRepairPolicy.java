package io.dualstackd.agent.reconcile;

import io.dualstackd.dataplane.watch.ChangeAuthor;
import io.dualstackd.dataplane.watch.ChangeCoalescer;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.ExternalChange;
import io.dualstackd.supervision.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides when to repair external changes: at once, unless the same objects are changed again and again. In that case another program keeps
 * reverting our rules, and an immediate repair of each change would never end: the pause between repairs grows until the changes stop. Used
 * by one thread.
 */
public final class DriftRepairPolicy {
    /** The number of repairs of the same object within {@link #WINDOW} above which it counts as contested. */
    static final int TOLERATED_REPAIRS = 5;

    static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Backoff DISTANCE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    /** The number of objects that are named. */
    private static final int NAMED = 3;

    private final ChangeCoalescer waiting = new ChangeCoalescer();
    private final Map<String, ArrayDeque<Instant>> recent = new HashMap<>();
    private List<String> repaired = List.of();
    private ChangeAuthor changeAuthor = ChangeAuthor.UNKNOWN;
    private Instant last = Instant.MIN;
    private Instant notBefore = Instant.MIN;
    private Optional<Contested> contested = Optional.empty();

    /**
     * Another program changes the same objects again and again.
     *
     * @param by the author of the last change
     * @param what is changed, one example
     * @param since when it was detected
     * @param repairs since then
     * @param pause between two repairs
     */
    public record Contested(ChangeAuthor by, String what, Instant since, int repairs, Duration pause) {
        /** The same, with {@code since} by another clock. */
        public Contested since(Instant other) {
            return new Contested(by, what, other, repairs, pause);
        }
    }

    public void add(ExternalChange externalChange) {
        externalChange.changes().forEach(waiting::add);
        changeAuthor = externalChange.changeAuthor();
    }

    /** Returns what is to be repaired now and counts it as repaired; empty when there is nothing to repair or it is too early. */
    public Set<ChangedObject> due(Instant now) {
        calmDown(now);
        return waiting.isEmpty() || now.isBefore(notBefore) ? Set.of() : answer(now);
    }

    /** Whether external changes wait to be repaired. */
    public boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** Everything was compared for another reason, which also repaired all that was waiting. */
    public void repairedAnyway() {
        waiting.clear();
    }

    private Set<ChangedObject> answer(Instant now) {
        Set<ChangedObject> taken = waiting.take();
        repaired = taken.stream().map(ChangedObject::toString).sorted().toList();
        last = now;
        recent.values().removeIf(times -> {
            times.removeIf(time -> time.plus(WINDOW).isBefore(now));
            return times.isEmpty();
        });
        String most = "";
        int count = 0;
        for (ChangedObject change : taken) {
            ArrayDeque<Instant> times = recent.computeIfAbsent(change.toString(), key -> new ArrayDeque<>());
            times.add(now);
            if (times.size() > count) {
                count = times.size();
                most = change.toString();
            }
        }
        if (contested.isPresent()) {
            Contested before = contested.get();
            int repairs = before.repairs() + 1;
            contested = Optional.of(
                    new Contested(changeAuthor, before.what(), before.since(), repairs, DISTANCE.after(repairs + 1)));
        } else if (count > TOLERATED_REPAIRS) {
            contested = Optional.of(new Contested(changeAuthor, most, now, 0, DISTANCE.after(1)));
        }
        notBefore = contested.map(fight -> now.plus(fight.pause())).orElse(Instant.MIN);
        return taken;
    }

    private void calmDown(Instant now) {
        if (contested.isPresent() && waiting.isEmpty() && !now.isBefore(last.plus(WINDOW))) {
            contested = Optional.empty();
            notBefore = Instant.MIN;
            recent.clear();
        }
    }

    /** Returns how long to wait until {@link #due} may return something new; at most {@code longest}. */
    public Duration wait(Instant now, Duration longest) {
        Duration wait = longest;
        if (!waiting.isEmpty()) {
            wait = Duration.between(now, notBefore.isBefore(now) ? now : notBefore);
        } else if (contested.isPresent()) {
            wait = Duration.between(now, last.plus(WINDOW));
        }
        return wait.isNegative() ? Duration.ZERO : wait.compareTo(longest) < 0 ? wait : longest;
    }

    public Optional<Contested> contested() {
        return contested;
    }

    /** The first few objects of the last repair. */
    public String repaired() {
        int more = repaired.size() - NAMED;
        return repaired.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** The author of the last external change. */
    public ChangeAuthor changeAuthor() {
        return changeAuthor;
    }
}
