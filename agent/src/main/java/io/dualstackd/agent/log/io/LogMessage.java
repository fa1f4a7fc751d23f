package io.dualstackd.agent.log.io;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.helpers.MessageFormatter;

/**
 * A log message and its fields. Only the template, which is constant, defines where a field begins and ends: a value from a Service, a file
 * or the kernel is never searched for fields.
 *
 * @param text {@code what happened key=value key="two words"}; in a quoted value {@code "} and {@code \} have a backslash before them
 * @param fields each key of the template with its value as it was given; of two with the same key the last
 */
record LogMessage(String text, Map<String, String> fields) {
    private static final Pattern KEY = Pattern.compile("([A-Za-z][A-Za-z0-9_.-]*)=");
    private static final Pattern QUOTE_OR_BACKSLASH = Pattern.compile("[\"\\\\]");

    /** Matches what would be read as a field of its own, or as the end of one, in a value without quotes. */
    private static final Pattern AMBIGUOUS = Pattern.compile("\"|\\s\\S*=");

    /** A message without fields, as libraries log it. */
    static LogMessage plain(String template, Object... values) {
        return new LogMessage(
                Objects.requireNonNullElse(MessageFormatter.basicArrayFormat(template, values), ""), Map.of());
    }

    /** Inserts the values at each {@code {}} of the template. */
    static LogMessage of(String template, Object... values) {
        return new Scan(template, values).all();
    }

    /** One scan of a template. */
    private static final class Scan {
        private final String template;
        private final Object[] values;
        private final Matcher key;
        private final StringBuilder text;
        private final Map<String, String> fields = new LinkedHashMap<>();
        private int at;
        private int used;

        Scan(String template, Object[] values) {
            this.template = template;
            this.values = values;
            this.key = KEY.matcher(template);
            this.text = new StringBuilder(template.length() + 32);
        }

        LogMessage all() {
            boolean wordBegins = true;
            while (at < template.length()) {
                if (wordBegins && key.region(at, template.length()).lookingAt()) {
                    text.append(key.group());
                    at = key.end();
                    fields.put(Objects.requireNonNull(key.group(1)), field());
                    wordBegins = false;
                } else if (atValue()) {
                    text.append(value());
                    wordBegins = false;
                } else {
                    char c = template.charAt(at++);
                    text.append(c);
                    wordBegins = Character.isWhitespace(c);
                }
            }
            return new LogMessage(text.toString(), fields);
        }

        private String field() {
            if (at < template.length() && template.charAt(at) == '"') {
                at++;
                return quoted();
            }
            return bare();
        }

        private String quoted() {
            StringBuilder field = new StringBuilder();
            while (at < template.length() && template.charAt(at) != '"') {
                if (atValue()) {
                    field.append(value());
                } else {
                    if (template.charAt(at) == '\\' && at + 1 < template.length()) {
                        at++;
                    }
                    field.append(template.charAt(at++));
                }
            }
            at++;
            quote(field);
            return field.toString();
        }

        private String bare() {
            StringBuilder field = new StringBuilder();
            while (at < template.length() && !Character.isWhitespace(template.charAt(at))) {
                field.append(atValue() ? value() : String.valueOf(template.charAt(at++)));
            }
            if (AMBIGUOUS.matcher(field).find()) {
                quote(field);
            } else {
                text.append(field);
            }
            return field.toString();
        }

        private void quote(StringBuilder field) {
            text.append('"')
                    .append(QUOTE_OR_BACKSLASH.matcher(field).replaceAll("\\\\$0"))
                    .append('"');
        }

        private boolean atValue() {
            return used < values.length && template.startsWith("{}", at);
        }

        private String value() {
            at += 2;
            // It handles arrays, nulls and a toString that fails.
            return String.valueOf(MessageFormatter.basicArrayFormat("{}", new Object[] {values[used++]}));
        }
    }
}
