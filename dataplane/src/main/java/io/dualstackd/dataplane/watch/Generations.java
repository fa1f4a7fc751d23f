package io.dualstackd.dataplane.watch;

import java.util.HashSet;
import java.util.Set;

/**
 * The generations of the namespace's rule set that are accounted for: made by a reconciler, or by another program and judged. With
 * it, a reconciler can distinguish "none of my objects was changed" from "something was changed somewhere". Thread-safe.
 */
public final class Generations {
    /** The most generations above a gap that are remembered; a gap older than that is never closed. */
    private static final int MOST = 10_000;

    private final Set<Integer> aboveGap = new HashSet<>();
    private boolean known;
    private int from;
    private int through;

    /** Accounts for one generation; to be called after those concerned were notified of its changes. */
    public synchronized void account(int generation) {
        if (!known) {
            restart(generation - 1);
        }
        if (generation - through <= 0) {
            return;
        }
        aboveGap.add(generation);
        closeGap();
        if (aboveGap.size() > MOST) {
            restart(generation);
        }
    }

    /** Records that every generation up to {@code generation} was either received or reported as unknown. */
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
        closeGap();
    }

    private void closeGap() {
        while (aboveGap.remove(next(through))) {
            through = next(through);
        }
    }

    /** The generation after this one: the kernel leaves out 0 ({@code nf_tables_commit}). */
    public static int next(int generation) {
        return generation == -1 ? 1 : generation + 1;
    }

    /** Whether every generation after {@code seen}, up to {@code now}, is accounted for. */
    public synchronized boolean explain(int seen, int now) {
        return seen == now || (known && seen - from >= 0 && through - now >= 0);
    }
}
