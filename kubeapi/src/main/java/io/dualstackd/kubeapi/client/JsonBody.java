package io.dualstackd.kubeapi.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes bodies of requests in JSON. */
public final class JsonBody {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonBody() {}

    /** Returns an object of alternating names and values; values as {@link #of} takes them. */
    public static Map<String, Object> object(Object... entries) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            object.put((String) entries[i], entries[i + 1]);
        }
        return object;
    }

    /** @param value of maps, lists, texts, whole numbers and trees */
    static String of(Object value) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException("nothing can go wrong in memory", e);
        }
        return out.toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(entry.getKey().toString());
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                for (Object item : list) {
                    write(json, item);
                }
                json.writeEndArray();
            }
            case Tree.Mapping mapping -> write(json, mapping.entries());
            case Tree.Sequence sequence -> write(json, sequence.items());
            case Tree.Scalar scalar -> scalar(json, scalar);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            default -> json.writeString(value.toString());
        }
    }

    private static void scalar(JsonGenerator json, Tree.Scalar scalar) throws IOException {
        switch (scalar.type()) {
            case TEXT -> json.writeString(scalar.text());
            case BOOLEAN -> json.writeBoolean(scalar.text().equals("true"));
            case NULL -> json.writeNull();
            case WHOLE_NUMBER, FRACTION -> json.writeNumber(scalar.text());
        }
    }
}
