package io.dualstackd.kubeapi.print;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** Writes JSON. */
final class JsonPrint {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonPrint() {}

    static String of(OutputValue value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
            printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
            json.setPrettyPrinter(printer);
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does not fail", e);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonGenerator json, OutputValue value) throws IOException {
        switch (value) {
            case OutputValue.Fields(Map<String, OutputValue> entries) -> {
                json.writeStartObject();
                for (Map.Entry<String, OutputValue> entry : entries.entrySet()) {
                    json.writeFieldName(entry.getKey());
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case OutputValue.Items(var values) -> {
                json.writeStartArray();
                for (OutputValue each : values) {
                    write(json, each);
                }
                json.writeEndArray();
            }
            case OutputValue.Text(String text) -> json.writeString(text);
            case OutputValue.Whole(long number) -> json.writeNumber(number);
            case OutputValue.Truth(boolean truth) -> json.writeBoolean(truth);
        }
    }
}
