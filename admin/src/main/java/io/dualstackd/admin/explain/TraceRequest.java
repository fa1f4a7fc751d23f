package io.dualstackd.admin.explain;

import java.time.Duration;
import java.util.List;

/**
 * The packets to trace.
 *
 * @param packet what they look like
 * @param time how long, {@link #MIN_TIME} to {@link #MAX_TIME}
 * @param count ends it earlier, when so many have been seen
 */
public record TraceRequest(ExplainRequest packet, Duration time, int count) {
    public static final Duration MIN_TIME = Duration.ofSeconds(1);
    public static final Duration MAX_TIME = Duration.ofMinutes(5);
    public static final int MAX_COUNT = 100;

    public TraceRequest {
        if (time.compareTo(MIN_TIME) < 0 || time.compareTo(MAX_TIME) > 0) {
            throw new IllegalArgumentException("--for: \"" + time.toSeconds() + "s\": must be 1s to 5m");
        }
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("\"" + count + "\": the number of packets must be 1 to " + MAX_COUNT);
        }
    }

    /** The inverse of {@link #words}. */
    public static TraceRequest of(List<String> words) {
        return new TraceRequest(
                ExplainRequest.of(words.subList(2, words.size())),
                Duration.ofSeconds(number(words.get(0))),
                number(words.get(1)));
    }

    private static int number(String word) {
        if (word.matches("\\d{1,6}")) {
            return Integer.parseInt(word);
        }
        throw new IllegalArgumentException("\"" + word + "\": must be a number");
    }

    /** The request as words without blanks. */
    public String words() {
        return time.toSeconds() + " " + count + " " + String.join(" ", packet.words());
    }
}
