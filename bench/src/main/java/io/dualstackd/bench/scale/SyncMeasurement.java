package io.dualstackd.bench.scale;

import java.util.Optional;

/**
 * The cost of one sync; for two families in parallel, of both.
 *
 * @param cpuNanos processor time of the thread, including the kernel's work
 * @param messages sent to the kernel
 * @param bytes sent to the kernel
 * @param allocated bytes allocated on the heap
 * @param raw time of the kernel alone, with the same bytes
 * @param rival time of the usual program
 */
record SyncMeasurement(
        Span time, long cpuNanos, long messages, long bytes, long allocated, Optional<Span> raw, Optional<Span> rival) {

    long nanos() {
        return time.nanos();
    }

    /** Adds the measurement of a family that ran in parallel. */
    SyncMeasurement with(SyncMeasurement other) {
        return new SyncMeasurement(
                time.with(other.time),
                cpuNanos + other.cpuNanos,
                messages + other.messages,
                bytes + other.bytes,
                allocated + other.allocated,
                both(raw, other.raw),
                both(rival, other.rival));
    }

    SyncMeasurement besideRaw(Optional<Span> newRaw) {
        return new SyncMeasurement(time, cpuNanos, messages, bytes, allocated, newRaw, rival);
    }

    SyncMeasurement besideRival(Optional<Span> newRival) {
        return new SyncMeasurement(time, cpuNanos, messages, bytes, allocated, raw, newRival);
    }

    static Optional<Span> both(Optional<Span> one, Optional<Span> other) {
        return one.flatMap(a -> other.map(a::with));
    }
}
