package io.dualstackd.kubeapi.print;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes YAML: strings are plain (unquoted) where every parser reads them as strings. */
final class YamlPrint {
    /** Text that begins with a letter and has no character that may end or change it, such as addresses and names. */
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z/][A-Za-z0-9_./@-]*(?: [A-Za-z0-9_./@(-][A-Za-z0-9_./@()-]*)*");

    /**
     * Addresses and networks that no YAML version reads as a number: numbers of base 60, as in YAML 1.1, have no two colons in a row. A
     * colon at either end would be an indicator of YAML.
     */
    private static final Pattern ADDRESS = Pattern.compile(
            "(\\d{1,3}(\\.\\d{1,3}){3}" + "|[0-9a-f](:?[0-9a-f])*::([0-9a-f](:?[0-9a-f])*(?=/|$)|(?=/)))(/\\d{1,3})?");

    /** Words that YAML 1.1 or 1.2 reads as another type. */
    private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    private YamlPrint() {}

    static String of(OutputValue value) {
        StringBuilder text = new StringBuilder();
        block(text, value, "");
        return text.toString();
    }

    /** Writes lines, each ended; the first one without indent, since the caller has written it or a dash. */
    private static void block(StringBuilder text, OutputValue value, String indent) {
        switch (value) {
            case OutputValue.Fields(Map<String, OutputValue> entries)
            when !entries.isEmpty() -> {
                String before = "";
                for (Map.Entry<String, OutputValue> entry : entries.entrySet()) {
                    text.append(before).append(scalar(entry.getKey())).append(':');
                    below(text, entry.getValue(), indent);
                    before = indent;
                }
            }
            case OutputValue.Items(List<OutputValue> values)
            when !values.isEmpty() -> {
                String before = "";
                for (OutputValue each : values) {
                    text.append(before).append("- ");
                    block(text, each, indent + "  ");
                    before = indent;
                }
            }
            case OutputValue single -> text.append(line(single)).append('\n');
        }
    }

    private static void below(StringBuilder text, OutputValue value, String indent) {
        switch (value) {
            case OutputValue.Fields(Map<String, OutputValue> entries)
            when !entries.isEmpty() -> {
                text.append('\n').append(indent).append("  ");
                block(text, value, indent + "  ");
            }
            case OutputValue.Items(List<OutputValue> values)
            when !values.isEmpty() -> {
                text.append('\n').append(indent);
                block(text, value, indent);
            }
            case OutputValue single -> text.append(' ').append(line(single)).append('\n');
        }
    }

    private static String line(OutputValue value) {
        return switch (value) {
            case OutputValue.Fields ignored -> "{}";
            case OutputValue.Items ignored -> "[]";
            case OutputValue.Text(String text) -> scalar(text);
            case OutputValue.Whole(long number) -> Long.toString(number);
            case OutputValue.Truth(boolean truth) -> Boolean.toString(truth);
        };
    }

    private static String scalar(String text) {
        boolean word = PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT));
        if (word || ADDRESS.matcher(text).matches()) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (!isPrintable(c)) {
                        quoted.append("\\u").append(String.format("%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    /** Whether the character may be written as it is (YAML 1.2.2, section 5.1) and is not a line break (section 5.4 of YAML 1.1). */
    private static boolean isPrintable(char c) {
        boolean control = c < ' ' || (c >= 0x7f && c < 0xa0);
        boolean endsLine = c == 0x2028 || c == 0x2029;
        boolean byteOrderMark = c == 0xfeff;
        return !control && !endsLine && !byteOrderMark && c < 0xfffe;
    }
}
