package io.dualstackd.dataplane.diff;

/** The result of reading something from the kernel. */
public sealed interface ReadResult<T> {
    record Found<T>(T value) implements ReadResult<T> {}

    /** The kernel could not be read. */
    record Failed<T>(String reason) implements ReadResult<T> {}
}
