package io.dualstackd.agent.cli;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Colours the words of a report that show a state, such as {@code ready} or {@code degraded}. Nothing else changes, and what a terminal
 * shows stays aligned.
 */
final class Colours {
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String RED = "\u001b[31m";
    private static final String END = "\u001b[0m";

    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("healthy", GREEN),
            Map.entry("ready", GREEN),
            Map.entry("ok", GREEN),
            Map.entry("forwarded", GREEN),
            Map.entry("degraded", YELLOW),
            Map.entry("starting", YELLOW),
            Map.entry("retrying", YELLOW),
            Map.entry("warning", YELLOW),
            Map.entry("failed", RED),
            Map.entry("error", RED),
            Map.entry("dropped", RED),
            Map.entry("rejected", RED),
            Map.entry("no endpoint", RED),
            Map.entry("no local endpoint", RED));

    /** Where such a word stands outside a table: in the first line of {@code status}, before a problem, as the result of {@code explain}. */
    private static final Pattern PLACE =
            Pattern.compile("^(dualstackd \\S+ on \\S+: |  (?=error |warning )|result +)([a-z]+)");

    private static final Pattern HEADING = Pattern.compile("(?<= )STATE(?= |$)");
    private static final Pattern CELL = Pattern.compile("\\S+(?: \\S+)*");

    /** Of the cells under the heading STATE; negative outside such a table. */
    private int column = -1;

    private Colours() {}

    /** The text with colours. */
    static String of(String text) {
        Colours colours = new Colours();
        return text.lines().map(line -> colours.line(line) + "\n").collect(Collectors.joining());
    }

    private String line(String line) {
        Matcher heading = HEADING.matcher(line);
        if (heading.find() || line.isEmpty()) {
            column = line.isEmpty() ? -1 : heading.start();
            return line;
        }
        Matcher place = PLACE.matcher(line);
        if (place.find()) {
            return coloured(line, place.start(2), place.end(2));
        }
        Matcher cell = CELL.matcher(line);
        boolean inTable = column > 0 && line.length() > column && line.charAt(column - 1) == ' ';
        return inTable && cell.find(column) && cell.start() == column ? coloured(line, column, cell.end()) : line;
    }

    private static String coloured(String line, int start, int end) {
        String colour = WORDS.get(line.substring(start, end));
        return colour == null
                ? line
                : line.substring(0, start) + colour + line.substring(start, end) + END + line.substring(end);
    }
}
