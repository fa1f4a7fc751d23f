package io.dualstackd.agent.metrics;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
        String java) {

    /** Clock ticks per second: Linux reports times in hundredths of a second, whatever its own tick rate is. */
    private static final double TICKS = 100;

    /** Fields of {@code /proc/PID/stat} behind the name, which may itself hold blanks and parentheses; counted from 0. */
    private static final int USER_TIME = 11;

    private static final int SYSTEM_TIME = 12;
    private static final int START_TIME = 19;

    /**
     * The heap of a virtual machine.
     *
     * @param version of the virtual machine
     */
    public record Heap(long used, long committed, long max, String version) {}

    /**
     * The texts of files in {@code /proc}.
     *
     * @param stat {@code /proc/self/stat}
     * @param status {@code /proc/self/status}
     * @param limits {@code /proc/self/limits}
     * @param machine {@code /proc/stat}
     * @param openFds entries of {@code /proc/self/fd}
     */
    public record Texts(String stat, String status, String limits, String machine, int openFds) {}

    /** Parses the figures; empty when the texts are not in the format of Linux. */
    public static Optional<ProcessFigures> of(Texts texts, Heap heap) {
        String[] stat =
                texts.stat.substring(texts.stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        try {
            return Optional.of(new ProcessFigures(
                    (Long.parseLong(stat[USER_TIME]) + Long.parseLong(stat[SYSTEM_TIME])) / TICKS,
                    number(texts.machine, "(?m)^btime (\\d+)") + Long.parseLong(stat[START_TIME]) / TICKS,
                    number(texts.status, "(?m)^VmSize:\\s+(\\d+) kB") * 1024,
                    number(texts.status, "(?m)^VmRSS:\\s+(\\d+) kB") * 1024,
                    (int) number(texts.status, "(?m)^Threads:\\s+(\\d+)"),
                    texts.openFds,
                    number(texts.limits, "(?m)^Max open files\\s+(\\d+)"),
                    heap.used,
                    heap.committed,
                    heap.max,
                    heap.version));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static long number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
