package io.dualstackd.bench.scale;

/**
 * The state of a Service at a moment.
 *
 * @param endpoints how many, at most 64; with none the Service itself does not exist
 * @param replaced a bit for each endpoint that differs from the initial one
 */
record ServiceShape(int endpoints, long replaced) {
    static final ServiceShape GONE = new ServiceShape(0, 0);

    /** Returns a shape with {@code endpoints} endpoints, none replaced. */
    static ServiceShape with(int endpoints) {
        return new ServiceShape(endpoints, 0);
    }

    /** Returns the same shape with one more endpoint replaced. */
    ServiceShape replacing(int index) {
        return new ServiceShape(endpoints, replaced | 1L << index);
    }

    boolean isReplaced(int index) {
        return (replaced >>> index & 1) != 0;
    }
}
