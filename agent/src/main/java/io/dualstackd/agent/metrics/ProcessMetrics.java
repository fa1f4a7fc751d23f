package io.dualstackd.agent.metrics;

import io.dualstackd.agent.metrics.ExpositionWriter.Point;
import java.util.List;

/** The metrics of this process, under the names that all client libraries of Prometheus use. */
final class ProcessMetrics {
    private ProcessMetrics() {}

    static void write(ExpositionWriter expositionWriter, ProcessFigures process) {
        expositionWriter.counter("process_cpu_seconds", "Processor time of all threads", process.cpuSeconds());
        expositionWriter.gauge("process_start_time_seconds", "When the process started", process.startedAt());
        expositionWriter.gauge("process_resident_memory_bytes", "Memory the process occupies", process.residentBytes());
        expositionWriter.gauge(
                "process_virtual_memory_bytes", "Address space the process occupies", process.virtualBytes());
        expositionWriter.gauge("process_open_fds", "File descriptors in use", process.openFds());
        expositionWriter.gauge("process_max_fds", "File descriptors the process can have", process.maxFds());
        expositionWriter.gauge(
                "jvm_threads_current",
                "Threads of the process, those of the virtual machine included",
                process.threads());
        expositionWriter.gauge("jvm_memory_used_bytes", "Memory in use, garbage included", heap(process.heapUsed()));
        expositionWriter.gauge("jvm_memory_committed_bytes", "Memory the heap has now", heap(process.heapCommitted()));
        expositionWriter.gauge("jvm_memory_max_bytes", "Memory the heap can have", heap(process.heapMax()));
        expositionWriter.gauge(
                "jvm_runtime_info",
                "1, with the version of the virtual machine",
                List.of(Point.of(1, "version", process.java())));
    }

    private static List<Point> heap(long bytes) {
        return List.of(Point.of(bytes, "area", "heap"));
    }
}
