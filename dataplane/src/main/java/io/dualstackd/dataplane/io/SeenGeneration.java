package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.watch.Generations;
import java.util.OptionalInt;

/** Up to which generation of the rule set it is known what was done to the rules of one family. Used by one thread. */
final class SeenGeneration {
    private final Generations generations;
    private int known;
    /** The present one at the last look, when it was not accounted for yet. */
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

    /** Whether everything up to {@code generation} is accounted for. */
    boolean explained(int generation) {
        return generations.explain(known, generation);
    }

    /** When ours is not the next generation, another program made one in between, and what that changed must not go unseen. */
    void committed(int generation) {
        generations.account(generation);
        if (generation == known + 1) {
            know(generation);
        }
    }

    /**
     * Whether something may have been changed of which nothing was heard. What the last look saw counts when all of it has been heard by now:
     * where others change rules many times a second, news of some change is always on its way.
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
