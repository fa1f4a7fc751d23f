package io.dualstackd.pages.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;

/** The pages that show what runs here and with which settings. */
public final class InfoPages {
    private static final String FOR_PEOPLE =
            "For people: the format may change with every version. Programs read /metrics and /configz.\n\n";

    private InfoPages() {}

    /**
     * The page {@code /statusz}.
     *
     * @param facts further lines, by name
     * @param paths of the other pages
     */
    public static HttpAnswer statusz(Instant started, Instant now, Map<String, String> facts, Set<String> paths) {
        StringBuilder text = new StringBuilder("\ndualstackd statusz\n").append(FOR_PEOPLE);
        text.append("Started: ").append(started).append('\n');
        text.append("Up: ").append(up(Duration.between(started, now))).append('\n');
        facts.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append('\n'));
        StringJoiner list = new StringJoiner(" ", "Paths: ", "\n");
        paths.stream().filter(path -> path.length() > 1 && !path.endsWith("/")).forEach(list::add);
        return HttpAnswer.text(200, text.append(list).toString());
    }

    private static String up(Duration time) {
        return "%d hr %02d min %02d sec".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart());
    }

    /** The page {@code /flagz}. */
    public static HttpAnswer flagz(SortedMap<String, String> flags) {
        StringBuilder text = new StringBuilder("\ndualstackd flags\n").append(FOR_PEOPLE);
        flags.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        return HttpAnswer.text(200, text.toString());
    }
}
