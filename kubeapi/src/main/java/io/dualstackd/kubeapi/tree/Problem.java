package io.dualstackd.kubeapi.tree;

/**
 * Something wrong in a text, with the information that its author needs to fix it.
 *
 * @param object the object concerned ({@code Service shop/web}), empty when that is not known
 * @param value the value as written, shortened; empty when it is absent or a whole object
 * @param rule the rule that is broken
 */
public record Problem(Severity severity, Place place, String object, String value, String rule) {
    private static final int SHOWN = 60;

    public Problem {
        if (value.length() > SHOWN) {
            value = value.substring(0, SHOWN) + "…";
        }
    }

    /** The consequence of a problem. */
    public enum Severity {
        /** The object is not used. */
        ERROR,
        /** The object is used in the way the rule describes. */
        WARNING,
        /** A field that is not known or that is there twice: an error for a command that validates strictly, otherwise a warning. */
        STRICT
    }

    public static Problem error(Place place, String value, String rule) {
        return new Problem(Severity.ERROR, place, "", value, rule);
    }

    public static Problem warning(Place place, String value, String rule) {
        return new Problem(Severity.WARNING, place, "", value, rule);
    }

    /** The same with another severity. */
    public Problem with(Severity other) {
        return new Problem(other, place, object, value, rule);
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** As {@link #toString}, with its severity behind the line: {@code web.yaml:14 (document 2): error: spec.ports[1].nodePort: …}. */
    public String diagnostic() {
        String text = toString();
        int position = shown(place.position()).length();
        return text.substring(0, position) + ": " + (isError() ? "error" : "warning") + text.substring(position);
    }

    /** {@code web.yaml:14 (document 2): spec.ports[1].nodePort: "70000": must be 0 to 65535 (Service shop/web)}. */
    @Override
    public String toString() {
        return shown(place
                + (value.isEmpty() ? "" : ": \"" + value + "\"")
                + ": " + rule
                + (object.isEmpty() ? "" : " (" + object + ")"));
    }

    /**
     * A text of a file as it is shown to people: in one line, with control characters as escapes. It must not look like another line of the
     * answer, or move a terminal's cursor.
     */
    public static String shown(String text) {
        if (text.codePoints().allMatch(Problem::isSeen)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (c == '\n') {
                shown.append("\\n");
            } else if (isSeen(c)) {
                shown.appendCodePoint(c);
            } else {
                shown.append("\\u%04x".formatted(c));
            }
        });
        return shown.toString();
    }

    private static boolean isSeen(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
