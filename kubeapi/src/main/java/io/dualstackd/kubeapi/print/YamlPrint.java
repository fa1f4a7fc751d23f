package io.dualstackd.kubeapi.print;

import io.dualstackd.kubeapi.tree.Tree;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Writes YAML: strings are plain (unquoted) where every parser reads them as strings. */
public final class YamlPrint {
    /** Text that begins with a letter and has no character that may end or change it, such as addresses and names. */
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z/][A-Za-z0-9_./@-]*+(?: [A-Za-z0-9_./@(-][A-Za-z0-9_./@()-]*+)*+");

    /**
     * Addresses and networks that no YAML version reads as a number: numbers of base 60, as in YAML 1.1, have no two colons in a row. A
     * colon at either end would be an indicator of YAML.
     */
    private static final Pattern ADDRESS = Pattern.compile(
            "(\\d{1,3}(\\.\\d{1,3}){3}" + "|[0-9a-f](:?[0-9a-f])*::([0-9a-f](:?[0-9a-f])*(?=/|$)|(?=/)))(/\\d{1,3})?");

    /** No address is longer; the pattern needs some stack for each character. */
    private static final int LONGEST_ADDRESS = 64;

    /** Words that YAML 1.1 or 1.2 reads as another type. */
    private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    private final Predicate<String> plain;
    private final StringBuilder text = new StringBuilder();

    private YamlPrint(Predicate<String> plain) {
        this.plain = plain;
    }

    /** Returns a document in block style, without a marker, ended by a newline. */
    public static String of(Tree value) {
        return of(value, YamlPrint::isPlain);
    }

    /** @param plain whether a string is written without quotes; it must be one that every parser reads as a string */
    public static String of(Tree value, Predicate<String> plain) {
        YamlPrint print = new YamlPrint(plain);
        print.block(value, "");
        return print.text.toString();
    }

    private static boolean isPlain(String text) {
        boolean word = PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT));
        return word
                || (text.length() <= LONGEST_ADDRESS && ADDRESS.matcher(text).matches());
    }

    /** Writes lines, each ended; the first one without indent, since the caller has written it or a dash. */
    private void block(Tree value, String indent) {
        switch (value) {
            case Tree.Mapping(Map<String, Tree> entries, int line, var _)
            when !entries.isEmpty() -> {
                String before = "";
                for (Map.Entry<String, Tree> entry : entries.entrySet()) {
                    text.append(before).append(text(entry.getKey())).append(':');
                    below(entry.getValue(), indent);
                    before = indent;
                }
            }
            case Tree.Sequence(List<Tree> values, int line)
            when !values.isEmpty() -> {
                String before = "";
                for (Tree each : values) {
                    text.append(before).append("- ");
                    block(each, indent + "  ");
                    before = indent;
                }
            }
            case Tree single -> text.append(line(single)).append('\n');
        }
    }

    private void below(Tree value, String indent) {
        switch (value) {
            case Tree.Mapping(Map<String, Tree> entries, int line, var _)
            when !entries.isEmpty() -> {
                text.append('\n').append(indent).append("  ");
                block(value, indent + "  ");
            }
            case Tree.Sequence(List<Tree> values, int line)
            when !values.isEmpty() -> {
                text.append('\n').append(indent);
                block(value, indent);
            }
            case Tree single -> text.append(' ').append(line(single)).append('\n');
        }
    }

    private String line(Tree value) {
        return switch (value) {
            case Tree.Mapping ignored -> "{}";
            case Tree.Sequence ignored -> "[]";
            case Tree.Scalar scalar -> scalar.is(Tree.Type.TEXT) ? text(scalar.text()) : scalar.text();
        };
    }

    private String text(String text) {
        if (plain.test(text)) {
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
