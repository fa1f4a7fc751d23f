package io.dualstackd.admin.monitor;

import java.util.regex.Pattern;

/**
 * Selects the lines that concern objects. Pure.
 *
 * @param names matches the names of the objects in a line
 */
public record LineFilter(Pattern names) {
    /** All lines. */
    public static final LineFilter ALL = new LineFilter(Pattern.compile(""));

    /** A summary that names only some of the objects may concern any. */
    private static final String MORE = " and \\d+ more\"";

    /**
     * The lines about the objects of a namespace, or about one of them.
     *
     * @param name {@code NS/} or {@code NS/NAME}
     */
    public static LineFilter of(String name) {
        String end = name.endsWith("/") ? "" : "(?![A-Za-z0-9./-])";
        return new LineFilter(Pattern.compile("(?<![A-Za-z0-9./-])" + Pattern.quote(name) + end + "|" + MORE));
    }

    /** Whether the line, an object of JSON, is one of them. */
    public boolean selects(String line) {
        return names.matcher(line).find();
    }
}
