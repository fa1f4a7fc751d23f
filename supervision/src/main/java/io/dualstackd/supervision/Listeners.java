package io.dualstackd.supervision;

/** Calls of listeners to a change that is told only once. */
public final class Listeners {
    private Listeners() {}

    /** Calls all of them. An exception of one does not prevent the others; the first one is thrown in the end, with the others suppressed. */
    public static void callAll(Iterable<? extends Runnable> listeners) {
        RuntimeException failure = null;
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
