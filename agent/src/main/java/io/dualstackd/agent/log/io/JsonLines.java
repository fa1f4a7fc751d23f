package io.dualstackd.agent.log.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One JSON object per record. */
final class JsonLines extends Formatter {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern PAIR =
            Pattern.compile("(?:^|\\s)([A-Za-z][A-Za-z0-9_.-]*)=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\S+))");

    @Override
    public String format(LogRecord record) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            String message = formatMessage(record);
            json.writeStartObject();
            json.writeStringField("time", TextLines.time(record.getInstant()));
            json.writeStringField("level", Levels.of(record.getLevel()).name());
            json.writeStringField("logger", Objects.toString(record.getLoggerName(), ""));
            json.writeStringField("thread", Thread.currentThread().getName());
            json.writeStringField("message", message);
            fields(json, message);
            if (record.getThrown() != null) {
                json.writeStringField("exception", TextLines.trace(record.getThrown()));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    /** The pairs {@code key=value} and {@code key="some words"} of the message; the last one of a name counts. */
    private static void fields(JsonGenerator json, String message) throws IOException {
        Map<String, String> pairs = new LinkedHashMap<>();
        Matcher matcher = PAIR.matcher(message);
        while (matcher.find()) {
            String quoted = matcher.group(2);
            String value = quoted == null ? matcher.group(3) : quoted.replaceAll("\\\\(.)", "$1");
            pairs.put(Objects.requireNonNull(matcher.group(1)), Objects.requireNonNull(value));
        }
        if (!pairs.isEmpty()) {
            json.writeObjectFieldStart("fields");
            for (var pair : pairs.entrySet()) {
                json.writeStringField(pair.getKey(), pair.getValue());
            }
            json.writeEndObject();
        }
    }
}
