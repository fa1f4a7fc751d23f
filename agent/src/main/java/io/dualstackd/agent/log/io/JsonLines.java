package io.dualstackd.agent.log.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** One JSON object per record: the message as a sentence, and its fields beside it. What libraries log to {@code java.util.logging} has no fields. */
final class JsonLines extends Formatter {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public String format(LogRecord record) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            // So no reader of lines takes a character of a value for a line end, whatever the locale.
            json.setHighestNonEscapedChar('~');
            json.writeStartObject();
            json.writeStringField("time", TextLines.time(record.getInstant()));
            json.writeStringField("level", Levels.of(record.getLevel()).name());
            json.writeStringField("logger", Objects.toString(record.getLoggerName(), ""));
            if (record instanceof FieldRecord ours) {
                json.writeStringField("thread", ours.threadName());
                LogMessage message = ours.message();
                json.writeStringField("msg", message.sentence());
                fields(json, message.fields());
            } else {
                json.writeStringField("thread", Thread.currentThread().getName());
                json.writeStringField("msg", formatMessage(record));
            }
            if (record.getThrown() != null) {
                json.writeStringField("exception", TextLines.trace(record.getThrown()));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private static void fields(JsonGenerator json, Map<String, Object> fields) throws IOException {
        if (!fields.isEmpty()) {
            json.writeObjectFieldStart("fields");
            for (var field : fields.entrySet()) {
                json.writeFieldName(field.getKey());
                switch (field.getValue()) {
                    case Integer number -> json.writeNumber(number);
                    case Long number -> json.writeNumber(number);
                    // NaN and the infinities, which JSON does not have, become texts.
                    case Double number -> json.writeNumber(number);
                    case Boolean truth -> json.writeBoolean(truth);
                    default -> json.writeString(field.getValue().toString());
                }
            }
            json.writeEndObject();
        }
    }
}
