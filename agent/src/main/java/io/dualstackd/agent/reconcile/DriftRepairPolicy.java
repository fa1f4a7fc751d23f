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
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * When to repair what others changed: at once, unless the same things are changed again and again. Then somebody disagrees with
 * us, and an answer to each of his changes would be an endless war: repairs keep a growing distance until he stops. Used by one
 * thread.
 */
public final class DriftRepairPolicy {
    /** So many repairs of the same thing within {@link #WINDOW} are no coincidence. */
    static final int PATIENCE = 5;

    static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Backoff DISTANCE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final ChangeCoalescer waiting = new ChangeCoalescer();
    private final Map<String, ArrayDeque<Instant>> recent = new HashMap<>();
    private ChangeAuthor changeAuthor = ChangeAuthor.UNKNOWN;
    private Instant last = Instant.MIN;
    private Instant notBefore = Instant.MIN;
    private Optional<Contested> contested = Optional.empty();

    /**
     * Somebody else changes the same things again and again.
     *
     * @param by who did it last
     * @param what is changed, one example
     * @param since when it was found out
     * @param repairs since then
     * @param pause between two repairs
     */
    public record Contested(ChangeAuthor by, String what, Instant since, int repairs, Duration pause) {
        /** The same, said with another clock. */
        public Contested since(Instant other) {
            return new Contested(by, what, other, repairs, pause);
        }
    }

    public void add(ExternalChange externalChange) {
        externalChange.changes().forEach(waiting::add);
        changeAuthor = externalChange.changeAuthor();
    }

    /** What is to be repaired now; empty when there is nothing or it is too early. Counts as repaired. */
    public Set<ChangedObject> due(Instant now) {
        calmDown(now);
        return waiting.isEmpty() || now.isBefore(notBefore) ? Set.of() : answer(now);
    }

    /** Everything was compared for another reason, and whatever waits was repaired on the way. */
    public void repairedAnyway() {
        waiting.clear();
    }

    private Set<ChangedObject> answer(Instant now) {
        Set<ChangedObject> taken = waiting.take();
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
        } else if (count > PATIENCE) {
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

    /** How long to wait until {@link #due} may say something new; at most {@code longest}. */
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

    /** Who disturbed us last. */
    public ChangeAuthor changeAuthor() {
        return changeAuthor;
    }
}
