package io.dualstackd.pages.metrics;

/**
 * The system's figures of this process, and the virtual machine's of its heap.
 *
 * @param cpuSeconds of all its threads
 * @param startedAt seconds of the epoch
 * @param heapUsed bytes, garbage included
 * @param heapMax bytes the heap can have
 * @param java the version of the virtual machine
 */
public record ProcessFigures(
        double cpuSeconds,
        double startedAt,
        long virtualBytes,
        long residentBytes,
        int threads,
        int openFds,
        long maxFds,
        long heapUsed,
        long heapCommitted,
        long heapMax,
        String java) {}
