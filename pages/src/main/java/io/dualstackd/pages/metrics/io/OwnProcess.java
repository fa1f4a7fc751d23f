package io.dualstackd.pages.metrics.io;

import io.dualstackd.pages.metrics.ProcessFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The figures of this process, as the system reports them. */
public final class OwnProcess {
    /** Clock ticks per second: Linux reports times in hundredths of a second, whatever its own tick rate is. */
    private static final double TICKS = 100;

    /** Fields of {@code /proc/PID/stat} behind the name, which may itself hold blanks and parentheses; counted from 0. */
    private static final int USER_TIME = 11;

    private static final int SYSTEM_TIME = 12;
    private static final int START_TIME = 19;

    private OwnProcess() {}

    /** The current figures; empty where there is no {@code /proc}, or it is not in the format of Linux. */
    public static Optional<ProcessFigures> figures() {
        Runtime runtime = Runtime.getRuntime();
        try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
            String text = read("/proc/self/stat");
            String[] stat = text.substring(text.lastIndexOf(')') + 1).strip().split(" ", -1);
            String status = read("/proc/self/status");
            return Optional.of(new ProcessFigures(
                    (Long.parseLong(stat[USER_TIME]) + Long.parseLong(stat[SYSTEM_TIME])) / TICKS,
                    number(read("/proc/stat"), "(?m)^btime (\\d+)") + Long.parseLong(stat[START_TIME]) / TICKS,
                    number(status, "(?m)^VmSize:\\s+(\\d+) kB") * 1024,
                    number(status, "(?m)^VmRSS:\\s+(\\d+) kB") * 1024,
                    (int) number(status, "(?m)^Threads:\\s+(\\d+)"),
                    (int) fds.count(),
                    number(read("/proc/self/limits"), "(?m)^Max open files\\s+(\\d+)"),
                    runtime.totalMemory() - runtime.freeMemory(),
                    runtime.totalMemory(),
                    runtime.maxMemory(),
                    Runtime.version().toString()));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static String read(String path) throws IOException {
        return Files.readString(Path.of(path));
    }

    private static long number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
