package io.dualstackd.node;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the kernel's list of processors, as in {@code /sys/devices/system/cpu/online}: {@code 0-3,8}. */
public final class CpuList {
    private static final Pattern PART = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    private CpuList() {}

    /** Returns the number of processors in the list; empty when the text is not such a list. */
    public static Optional<Integer> count(String list) {
        int count = 0;
        for (String part : list.strip().split(",", -1)) {
            Matcher range = PART.matcher(part);
            if (!range.matches()) {
                return Optional.empty();
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            count += Math.max(0, last - first + 1);
        }
        return Optional.of(count);
    }
}
