package io.dualstackd.agent.lab;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one laboratory, whose name says which JVM it belongs to, and the cgroups of the same name.
 *
 * <p>Not below {@code target}: sockets live here, and the path of a Unix socket has at most 107 bytes.
 *
 * @param name also of its cgroups: {@code dsl-PID-START-NUMBER}
 */
public record LabFolder(Path path, String name) {
    private static final Path ABOVE = Path.of("/tmp");
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final String PREFIX = "dsl-";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** A new one. Removes those of JVMs that are gone. */
    public static LabFolder create() throws IOException {
        if (NUMBER.get() == 0) {
            removeOrphans();
        }
        String name = PREFIX + owner(ProcessHandle.current()) + "-" + NUMBER.getAndIncrement();
        return new LabFolder(Files.createDirectory(ABOVE.resolve(name)), name);
    }

    public Path resolve(String file) {
        return path.resolve(file);
    }

    /** For runtimes: where to put the cgroups of what they run. */
    public String cgroupParent() {
        return "/" + name;
    }

    /** Removes folder and cgroups; their processes must be gone. */
    public void remove() throws IOException {
        removeCgroups(name);
        removeTree(path);
    }

    /** What JVMs that are gone have left. */
    static void removeOrphans() throws IOException {
        for (Path folder : children(ABOVE)) {
            String name = folder.getFileName().toString();
            if (name.matches(PREFIX + "\\d+-\\d+-\\d+") && !isOwnerAlive(name)) {
                new LabFolder(folder, name).remove();
            }
        }
    }

    private static boolean isOwnerAlive(String name) {
        String owner = name.substring(PREFIX.length(), name.lastIndexOf('-'));
        long pid = Long.parseLong(owner.substring(0, owner.indexOf('-')));
        return ProcessHandle.of(pid).filter(it -> owner(it).equals(owner)).isPresent();
    }

    /** Pid and start, for pids come again. */
    private static String owner(ProcessHandle process) {
        long start = process.info().startInstant().orElseThrow().getEpochSecond();
        return process.pid() + "-" + start;
    }

    /** With version 1 of cgroups there is one hierarchy per controller, with version 2 one for all. */
    private static void removeCgroups(String name) throws IOException {
        removeTree(CGROUPS.resolve(name));
        for (Path controller : children(CGROUPS)) {
            removeTree(controller.resolve(name));
        }
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        } catch (NotDirectoryException e) {
            return List.of();
        }
    }

    /** The files of a cgroup cannot be deleted, and need not be. */
    private static void removeTree(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return;
        }
        boolean cgroup = root.startsWith(CGROUPS);
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes ignored) throws IOException {
                if (!cgroup) {
                    Files.delete(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed) throws IOException {
                try {
                    Files.delete(folder);
                } catch (NoSuchFileException | DirectoryNotEmptyException e) {
                    // Another process was faster, or left files in it; the next laboratory tries again.
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
