package io.dualstackd.bench.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Processor time of each thread of a process, as the scheduler counts it ({@code /proc/PID/task/TID/schedstat}), in nanoseconds. Threads
 * with the same name are added up. Where the kernel does not count it, all are zero.
 *
 * @param nanos by the thread's name
 * @param turns how often the threads of that name were scheduled
 */
public record ThreadTimes(Map<String, Long> nanos, Map<String, Long> turns) {
    /** Reads the times of the threads that run now; those that have ended are missing. */
    public static ThreadTimes of(long pid) throws IOException {
        Map<String, Long> nanos = new TreeMap<>();
        Map<String, Long> turns = new TreeMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                String[] fields;
                String name;
                try {
                    fields = Files.readString(task.resolve("schedstat")).strip().split(" ", -1);
                    name = Files.readString(task.resolve("comm")).strip();
                } catch (IOException e) {
                    // The thread has ended, or the kernel does not count.
                    continue;
                }
                nanos.merge(name, Long.parseLong(fields[0]), Long::sum);
                turns.merge(name, Long.parseLong(fields[2]), Long::sum);
            }
        }
        return new ThreadTimes(nanos, turns);
    }

    /** The sum of all threads, in nanoseconds. */
    public long total() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The time used between {@code before} and this. */
    public ThreadTimes since(ThreadTimes before) {
        return new ThreadTimes(minus(nanos, before.nanos), minus(turns, before.turns));
    }

    private static Map<String, Long> minus(Map<String, Long> after, Map<String, Long> before) {
        Map<String, Long> used = new TreeMap<>();
        after.forEach((name, value) -> used.put(name, Math.max(0, value - before.getOrDefault(name, 0L))));
        return used;
    }

    /** The threads that used most, in milliseconds, with how often they ran: {@code cri 12.3 (60), pods 4.5 (61)}. */
    public String top(int count) {
        List<String> names = nanos.keySet().stream()
                .filter(name -> nanos.getOrDefault(name, 0L) > 0)
                .sorted(Comparator.comparing((String name) -> nanos.getOrDefault(name, 0L))
                        .reversed())
                .limit(count)
                .toList();
        return names.stream()
                .map(name -> String.format(
                        "%s %s (%d)",
                        name, Percentiles.millis(nanos.getOrDefault(name, 0L)), turns.getOrDefault(name, 0L)))
                .collect(Collectors.joining(", "));
    }
}
