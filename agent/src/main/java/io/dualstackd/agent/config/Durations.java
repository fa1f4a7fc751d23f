package io.dualstackd.agent.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Kubernetes writes them: {@code 30s}, {@code 1m30s}, {@code 250ms}, {@code 1.5h}, {@code 0}. */
public final class Durations {
    private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s|m|h)");

    private Durations() {}

    public static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Matcher part = PART.matcher(text);
        double nanos = 0;
        int at = 0;
        while (at < text.length()) {
            if (!part.find(at) || part.start() != at) {
                return Optional.empty();
            }
            nanos += Double.parseDouble(part.group(1)) * unit(part.group(2));
            at = part.end();
        }
        boolean possible = at > 0 && nanos < Long.MAX_VALUE;
        return possible ? Optional.of(Duration.ofNanos((long) nanos)) : Optional.empty();
    }

    private static double unit(String name) {
        return switch (name) {
            case "ns" -> 1;
            case "us", "µs" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            default -> 3600e9;
        };
    }
}
