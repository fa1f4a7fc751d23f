package io.dualstackd.bench.scale;

/**
 * What a Service looks like at a moment.
 *
 * @param endpoints how many, at most 64; none and the Service itself is not there
 * @param replaced a bit for each endpoint that is another one than at first
 */
record Look(int endpoints, long replaced) {
    static final Look GONE = new Look(0, 0);

    /** {@code endpoints} endpoints, none replaced. */
    static Look with(int endpoints) {
        return new Look(endpoints, 0);
    }

    /** The same with one more endpoint replaced. */
    Look replacing(int index) {
        return new Look(endpoints, replaced | 1L << index);
    }

    boolean isReplaced(int index) {
        return (replaced >>> index & 1) != 0;
    }
}
