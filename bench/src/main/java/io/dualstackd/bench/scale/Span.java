package io.dualstackd.bench.scale;

/** From when to when, by {@link System#nanoTime}. */
record Span(long start, long end) {
    static Span since(long start) {
        return new Span(start, System.nanoTime());
    }

    long nanos() {
        return end - start;
    }

    /** From when the first began until when the last ended. */
    Span with(Span other) {
        return new Span(Math.min(start, other.start), Math.max(end, other.end));
    }
}
