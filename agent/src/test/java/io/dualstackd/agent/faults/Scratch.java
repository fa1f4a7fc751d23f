package io.dualstackd.agent.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A folder that records which processes were started for it. What a run that was killed has left is removed by the next one: its
 * processes by number and time of start, then the folder. Its namespaces went with its processes.
 */
final class Scratch implements AutoCloseable {
    private static final String PREFIX = "dualstackd-soak-";
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Path folder;
    private final Mounts mounts;

    private Scratch(Path folder, Mounts mounts) {
        this.folder = folder;
        this.mounts = mounts;
    }

    /** After what runs that were killed have left in {@code parent} is removed. */
    static Scratch fresh(Path parent) throws Exception {
        sweep(parent);
        // Short: the path of a socket has at most 107 bytes.
        Path folder = parent.resolve(PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet());
        Files.createDirectory(folder);
        Files.writeString(folder.resolve("owner"), line(ProcessHandle.current()));
        Files.createDirectories(folder.resolve("state"));
        Scratch scratch = new Scratch(folder, Mounts.over(folder.resolve("state")));
        scratch.remember(scratch.mounts.pid());
        return scratch;
    }

    private static void sweep(Path parent) throws IOException {
        List<Path> left;
        try (Stream<Path> all = Files.list(parent)) {
            left = all.filter(path -> path.getFileName().toString().startsWith(PREFIX))
                    .toList();
        }
        for (Path each : left) {
            Path owner = each.resolve("owner");
            if (!Files.exists(owner)
                    || Files.readString(owner)
                            .lines()
                            .anyMatch(line -> alive(line).isPresent())) {
                continue;
            }
            Path pids = each.resolve("pids");
            if (Files.exists(pids)) {
                Files.readString(pids)
                        .lines()
                        .flatMap(line -> alive(line).stream())
                        .forEach(ProcessHandle::destroyForcibly);
            }
            delete(each);
        }
    }

    private static String line(ProcessHandle process) {
        return process.pid() + " "
                + process.info().startInstant().map(Object::toString).orElse("") + "\n";
    }

    /** A process with this number that started then. */
    private static Optional<ProcessHandle> alive(String line) {
        return ProcessHandle.of(Long.parseLong(line.substring(0, line.indexOf(' '))))
                .filter(process -> line(process).strip().equals(line.strip()));
    }

    /** It is ended by the next run when this one cannot. */
    void remember(long pid) throws IOException {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        if (process.isPresent()) {
            Files.writeString(
                    folder.resolve("pids"), line(process.get()), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    Path folder() {
        return folder;
    }

    /** The state directory, on a file system of its own. */
    Path state() {
        return folder.resolve("state");
    }

    /** Small file systems that only the daemon sees. */
    Mounts mounts() {
        return mounts;
    }

    /** Arguments of {@code nsenter}. */
    List<String> inMounts() {
        return List.of(
                "--mount=/proc/" + mounts.pid() + "/ns/mnt",
                "--wd=" + Path.of("").toAbsolutePath());
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Override
    public void close() throws Exception {
        mounts.close();
        delete(folder);
    }
}
