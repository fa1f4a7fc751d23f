package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.watch.Generations;
import java.util.OptionalInt;

/** The generation of the rule set up to which all changes to the rules of one family are known. Used by one thread. */
final class SeenGeneration {
    private final Generations generations;
    private int known;
    /** The current generation at the last check, when it was not accounted for yet. */
    private OptionalInt awaited = OptionalInt.empty();

    SeenGeneration(Generations generations) {
        this.generations = generations;
    }

    int known() {
        return known;
    }

    void know(int generation) {
        known = generation;
        awaited = OptionalInt.empty();
    }

    /**
     * A transaction of this reconciler may have been committed without an answer, so that its generation is not accounted for. After a complete reading,
     * the generations count from there; other reconcilers compare once.
     */
    void restart() {
        generations.accountFrom(known);
    }

    /** Whether everything up to {@code generation} is accounted for. */
    boolean explained(int generation) {
        return generations.explain(known, generation);
    }

    /** When the committed generation is not the next one, another program made one in between, whose changes must not be missed. */
    void committed(int generation) {
        generations.account(generation);
        if (generation == Generations.next(known)) {
            know(generation);
        }
    }

    /**
     * Whether there may be changes without a notification. The generation of the last check is sufficient if all up to it are accounted
     * for by now: where others change rules many times a second, the notification of some change is always on its way.
     */
    boolean changedByOthers(int present) {
        if (explained(present)) {
            know(present);
            return false;
        }
        OptionalInt last = awaited;
        if (last.isPresent() && explained(last.getAsInt())) {
            know(last.getAsInt());
            awaited = OptionalInt.of(present);
            return false;
        }
        awaited = OptionalInt.of(present);
        return true;
    }
}
