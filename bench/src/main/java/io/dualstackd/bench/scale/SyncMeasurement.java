package io.dualstackd.bench.scale;

import java.util.Optional;

/**
 * What one pass cost; for two families in parallel, what both did.
 *
 * @param cpuNanos processor time of the thread, the kernel's part included
 * @param messages sent to the kernel
 * @param bytes sent to the kernel
 * @param allocated bytes on the heap
 * @param raw the kernel alone, with the same bytes
 * @param rival the usual program
 */
record SyncMeasurement(
        Span time, long cpuNanos, long messages, long bytes, long allocated, Optional<Span> raw, Optional<Span> rival) {

    long nanos() {
        return time.nanos();
    }

    /** Both at once. */
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
