package io.dualstackd.bench.scale;

/**
 * What a Service looks like at a moment.
 *
 * @param endpoints how many, at most 64; none and the Service itself is not there
 * @param replaced a bit for each endpoint that is another one than at first
 */
record ServiceShape(int endpoints, long replaced) {
    static final ServiceShape GONE = new ServiceShape(0, 0);

    /** {@code endpoints} endpoints, none replaced. */
    static ServiceShape with(int endpoints) {
        return new ServiceShape(endpoints, 0);
    }

    /** The same with one more endpoint replaced. */
    ServiceShape replacing(int index) {
        return new ServiceShape(endpoints, replaced | 1L << index);
    }

    boolean isReplaced(int index) {
        return (replaced >>> index & 1) != 0;
    }
}
