package io.dualstackd.dataplane.watch;

import java.util.HashSet;
import java.util.Set;

/**
 * Which versions of the namespace's whole rule set are accounted for: made by a line of ours, or by somebody else and judged. With
 * it, a line can tell "nothing of mine was changed" from "something was, somewhere". For any thread.
 */
public final class Generations {
    /** Versions above a gap that are remembered; a gap that old is never closed. */
    private static final int MOST = 10_000;

    private final Set<Integer> aboveGap = new HashSet<>();
    private boolean known;
    private int from;
    private int through;

    /** Accounts for one version; to be called after those concerned were told what it did. */
    public synchronized void account(int generation) {
        if (!known) {
            restart(generation - 1);
        }
        if (generation - through <= 0) {
            return;
        }
        aboveGap.add(generation);
        while (aboveGap.remove(through + 1)) {
            through++;
        }
        if (aboveGap.size() > MOST) {
            restart(generation);
        }
    }

    /** Everything up to {@code generation} is known to have been heard, or told as unknown. */
    public synchronized void accountFrom(int generation) {
        if (!known || generation - through > 0) {
            restart(generation);
        }
    }

    private void restart(int generation) {
        known = true;
        from = generation;
        through = generation;
        aboveGap.removeIf(above -> above - generation <= 0);
        while (aboveGap.remove(through + 1)) {
            through++;
        }
    }

    /** Whether every version after {@code seen}, up to {@code now}, is accounted for. */
    public synchronized boolean explain(int seen, int now) {
        return seen == now || (known && seen - from >= 0 && through - now >= 0);
    }
}
