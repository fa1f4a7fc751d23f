package io.dualstackd.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Resident memory of a process, in bytes.
 *
 * @param peak the maximum so far
 * @param now the current value
 */
public record Resident(long peak, long now) {
    /** Reads the values of a process. */
    public static Resident of(long pid) throws IOException {
        long peak = 0;
        long now = 0;
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmHWM:")) {
                peak = kilobytes(line);
            } else if (line.startsWith("VmRSS:")) {
                now = kilobytes(line);
            }
        }
        return new Resident(peak << 10, now << 10);
    }

    private static long kilobytes(String line) {
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
