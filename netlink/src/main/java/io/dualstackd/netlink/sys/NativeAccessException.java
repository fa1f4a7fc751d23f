package io.dualstackd.netlink.sys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Thrown when native code cannot be loaded into this JVM. The message is one line with the remedy; a retry is useless. */
public final class NativeAccessException extends RuntimeException {
    /** So many descriptors are needed at once to find and load the libraries. */
    private static final int NEEDED = 16;

    NativeAccessException(Throwable cause) {
        super("cannot call libc from this JVM (" + firstLine(cause) + "): " + remedy(), cause);
    }

    private static String remedy() {
        return fewDescriptors()
                .orElse(
                        "start java with --enable-native-access=ALL-UNNAMED; if the temp directory is mounted noexec, unpack"
                                + " libjffi-*.so from the jffi jar into a directory that is not, and add"
                                + " -Djffi.boot.library.path=DIRECTORY");
    }

    /** The libraries that were looked for are then missing, for no reason that is given. */
    private static Optional<String> fewDescriptors() {
        String raise = "raise the limit of open files (ulimit -n, LimitNOFILE=)";
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"));
                Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
            long used = open.count();
            return limits.filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.split("\\s+", -1)[3])
                    .filter(limit -> limit.matches("\\d{1,9}") && used > Long.parseLong(limit) - NEEDED)
                    .findFirst()
                    .map(limit -> used + " of " + limit + " files are open: " + raise);
        } catch (IOException e) {
            return Optional.of(raise + ": " + e.getMessage());
        }
    }

    private static String firstLine(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = String.valueOf(root.getMessage());
        return root.getClass().getSimpleName() + ": "
                + text.lines().findFirst().orElse("").strip();
    }
}
