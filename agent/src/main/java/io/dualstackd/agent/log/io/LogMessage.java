package io.dualstackd.agent.log.io;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.MessageFormatter;

/**
 * A log message and its fields. Only the template, which is constant, defines where a field begins and ends: a value from a Service, a file
 * or the kernel is never searched for fields.
 *
 * @param text {@code what happened key=value key="two words"}; in a quoted value {@code "} and {@code \} have a backslash before them
 * @param sentence {@code what happened}: the text without the fields
 * @param fields each key of the template with its value as it was given, a text, a number or a boolean; of two with the same key the
 *     last
 */
record LogMessage(String text, String sentence, Map<String, Object> fields) {
    private static final Pattern KEY = Pattern.compile("([A-Za-z][A-Za-z0-9_.-]*)=");
    private static final Pattern QUOTE_OR_BACKSLASH = Pattern.compile("[\"\\\\]");

    /** Matches what would be read as a field of its own, or as the end of one, in a value without quotes. */
    private static final Pattern AMBIGUOUS = Pattern.compile("\"|\\s\\S*=");

    /** A message without fields, as libraries log it. */
    static LogMessage plain(String template, Object... values) {
        String text = Objects.requireNonNullElse(MessageFormatter.basicArrayFormat(template, values), "");
        return new LogMessage(text, text, Map.of());
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
        private final StringBuilder sentence = new StringBuilder();
        private final Map<String, Object> fields = new LinkedHashMap<>();
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
                    // The white space before it, which is the template's.
                    sentence.setLength(Math.max(0, sentence.length() - 1));
                    wordBegins = false;
                } else if (atValue()) {
                    String value = value();
                    text.append(value);
                    sentence.append(value);
                    wordBegins = false;
                } else {
                    char c = template.charAt(at++);
                    text.append(c);
                    wordBegins = Character.isWhitespace(c);
                    if (!wordBegins || !sentence.isEmpty()) {
                        sentence.append(c);
                    }
                }
            }
            return new LogMessage(text.toString(), sentence.isEmpty() ? text.toString() : sentence.toString(), fields);
        }

        private Object field() {
            if (at < template.length() && template.charAt(at) == '"') {
                at++;
                return quoted();
            }
            // A value that is the whole field keeps its type; the type is that of the program, not what a text looks
            // like.
            Optional<Object> first = used < values.length ? typed(values[used]) : Optional.empty();
            boolean whole =
                    atValue() && (at + 2 == template.length() || Character.isWhitespace(template.charAt(at + 2)));
            String shown = bare();
            return whole ? first.orElse(shown) : shown;
        }

        private static Optional<Object> typed(@Nullable Object value) {
            return switch (value) {
                case Integer number -> Optional.of(number);
                case Long number -> Optional.of(number);
                case Double number -> Optional.of(number);
                case Boolean truth -> Optional.of(truth);
                case null, default -> Optional.empty();
            };
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
