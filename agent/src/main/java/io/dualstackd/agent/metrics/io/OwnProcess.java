package io.dualstackd.agent.metrics.io;

import io.dualstackd.agent.metrics.ProcessFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The figures of this process, as the system reports them. */
public final class OwnProcess {
    private OwnProcess() {}

    /** The current figures; empty where there is no {@code /proc}. */
    public static Optional<ProcessFigures> figures() {
        Runtime runtime = Runtime.getRuntime();
        ProcessFigures.Heap heap = new ProcessFigures.Heap(
                runtime.totalMemory() - runtime.freeMemory(),
                runtime.totalMemory(),
                runtime.maxMemory(),
                Runtime.version().toString());
        try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
            return ProcessFigures.of(
                    new ProcessFigures.Texts(
                            read("/proc/self/stat"),
                            read("/proc/self/status"),
                            read("/proc/self/limits"),
                            read("/proc/stat"),
                            (int) fds.count()),
                    heap);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String read(String path) throws IOException {
        return Files.readString(Path.of(path));
    }
}
