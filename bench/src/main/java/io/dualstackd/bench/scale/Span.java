package io.dualstackd.bench.scale;

/** A time span, by {@link System#nanoTime}. */
record Span(long start, long end) {
    static Span since(long start) {
        return new Span(start, System.nanoTime());
    }

    long nanos() {
        return end - start;
    }

    /** Returns the span from the earlier start to the later end. */
    Span with(Span other) {
        return new Span(Math.min(start, other.start), Math.max(end, other.end));
    }
}
