package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.ServiceKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Finds the Services a kernel refuses when it does not report which they are. Each trial is a transaction with the changes of a group;
 * an accepted one is in force, and a refused group is halved until one Service is left. The work is bounded: after a number of refusals
 * the rest waits for the next sync, which has fewer to try. Used once, by one thread.
 */
final class RefusalSearch {
    /** The most Services in a transaction: a whole first load at once would need much memory. */
    private static final int GROUP = 256;

    /** The most refused transactions of a sync. */
    private static final int REFUSALS = 200;

    private static final String WAITS =
            "it wants a destination that another Service has, whose change the kernel refuses";

    private final Trial trial;
    private final BiConsumer<ServiceKey, String> refused;
    private final Deque<List<ServiceKey>> groups = new ArrayDeque<>();
    private List<ServiceKey> waiting = new ArrayList<>();
    private int refusals;
    private boolean taken;

    /** Sends the changes of some Services. */
    interface Trial {
        Answer of(List<ServiceKey> group);
    }

    /** The result of a trial. */
    sealed interface Answer {
        /** The changes are in force. */
        record Taken() implements Answer {}

        /** None of the changes is in force, and none of what was in force before is changed. */
        record Refused(List<Refusal> refusals) implements Answer {}

        /** Nothing was sent, because the group wants destinations that Services outside it still have. */
        record Waits() implements Answer {}

        /** The search cannot go on. */
        record Failed(Result result) implements Answer {}
    }

    /** @param refused receives each Service that is refused alone, with the kernel's message */
    RefusalSearch(Trial trial, BiConsumer<ServiceKey, String> refused) {
        this.trial = trial;
        this.refused = refused;
    }

    /**
     * @param suspects Services that were refused together; none of their changes is in force
     * @return how it ended when not all of them were tried; empty when all are in force or named
     */
    Optional<Result> run(List<ServiceKey> suspects) {
        int size = Math.clamp((suspects.size() + 1) / 2, 1, GROUP);
        for (int from = 0; from < suspects.size(); from += size) {
            groups.add(suspects.subList(from, Math.min(from + size, suspects.size())));
        }
        while (!groups.isEmpty()) {
            Optional<Result> ended = tryNext(groups.remove());
            if (ended.isPresent()) {
                return ended;
            }
            if (groups.isEmpty()) {
                tryAgainOrName();
            }
        }
        return Optional.empty();
    }

    private Optional<Result> tryNext(List<ServiceKey> group) {
        return switch (trial.of(group)) {
            case Answer.Taken ignored -> {
                taken = true;
                yield Optional.empty();
            }
            case Answer.Waits ignored -> {
                if (group.size() == 1) {
                    waiting.addAll(group);
                } else {
                    halve(group);
                }
                yield Optional.empty();
            }
            case Answer.Refused(List<Refusal> words) -> {
                if (group.size() == 1) {
                    refused.accept(group.getFirst(), message(words));
                } else {
                    halve(group);
                }
                yield ++refusals < REFUSALS || groups.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Result.Refused(words));
            }
            case Answer.Failed(Result result) -> Optional.of(result);
        };
    }

    private void halve(List<ServiceKey> group) {
        int half = group.size() / 2;
        groups.addFirst(group.subList(half, group.size()));
        groups.addFirst(group.subList(0, half));
    }

    /** Tries waiting Services again: what they wait for may be free now. */
    private void tryAgainOrName() {
        if (taken) {
            waiting.forEach(key -> groups.add(List.of(key)));
        } else {
            waiting.forEach(key -> refused.accept(key, WAITS));
        }
        waiting = new ArrayList<>();
        taken = false;
    }

    private static String message(List<Refusal> refusals) {
        return refusals.isEmpty() ? "refused" : refusals.getFirst().kernelSays();
    }
}
