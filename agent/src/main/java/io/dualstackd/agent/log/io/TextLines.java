package io.dualstackd.agent.log.io;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** One line per record; a stack trace follows it, indented. */
final class TextLines extends Formatter {
    @Override
    public String format(LogRecord record) {
        StringBuilder line = new StringBuilder(160);
        line.append(time(record.getInstant())).append(' ');
        pad(line, Levels.of(record.getLevel()).name(), 5).append(' ');
        pad(line, Objects.toString(record.getLoggerName(), ""), 10).append(' ');
        clean(line, formatMessage(record), false);
        line.append('\n');
        if (record.getThrown() != null) {
            trace(record.getThrown()).lines().forEach(l -> {
                line.append("    ");
                clean(line, l, true);
                line.append('\n');
            });
        }
        return line.toString();
    }

    /** A time, always with milliseconds, so that columns line up: {@code 2026-11-21T04:52:01.000Z}. */
    static String time(Instant instant) {
        Instant ms = instant.truncatedTo(ChronoUnit.MILLIS);
        String text = ms.toString();
        return text.length() == "2026-11-21T04:52:01Z".length() ? text.substring(0, text.length() - 1) + ".000Z" : text;
    }

    static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Replaces control characters: text from files and the kernel must not look like a second log line, or move a terminal's cursor. */
    private static void clean(StringBuilder line, String text, boolean tabs) {
        text.codePoints().forEach(c -> {
            if (c == '\n') {
                line.append("\\n");
            } else if (isSeen(c) || (tabs && c == '\t')) {
                line.appendCodePoint(c);
            } else {
                Character.toString(c).chars().forEach(unit -> line.append("\\u%04x".formatted(unit)));
            }
        });
    }

    private static boolean isSeen(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }

    private static StringBuilder pad(StringBuilder line, String word, int width) {
        return line.append(word).repeat(' ', Math.max(0, width - word.length()));
    }
}
