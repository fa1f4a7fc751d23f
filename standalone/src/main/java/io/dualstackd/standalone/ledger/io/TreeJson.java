package io.dualstackd.standalone.ledger.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Trees as JSON, lossless except for line numbers and for numbers that JSON cannot represent. */
final class TreeJson {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private TreeJson() {}

    static void write(JsonGenerator json, Tree tree) throws IOException {
        switch (tree) {
            case Tree.Mapping mapping -> {
                json.writeStartObject();
                for (Map.Entry<String, Tree> entry : mapping.entries().entrySet()) {
                    json.writeFieldName(entry.getKey());
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case Tree.Sequence sequence -> {
                json.writeStartArray();
                for (Tree item : sequence.items()) {
                    write(json, item);
                }
                json.writeEndArray();
            }
            case Tree.Scalar scalar -> write(json, scalar);
        }
    }

    private static void write(JsonGenerator json, Tree.Scalar scalar) throws IOException {
        switch (scalar.type()) {
            case TEXT -> json.writeString(scalar.text());
            case BOOLEAN -> json.writeBoolean(scalar.text().equalsIgnoreCase("true"));
            case NULL -> json.writeNull();
            case WHOLE_NUMBER, FRACTION -> {
                if (NUMBER.matcher(scalar.text()).matches()) {
                    json.writeNumber(scalar.text());
                } else {
                    json.writeString(scalar.text());
                }
            }
        }
    }

    /** @throws IOException when these bytes are not a JSON object */
    static Tree.Mapping read(byte[] bytes, int from) throws IOException {
        try (JsonParser json = JSON.createParser(bytes, from, bytes.length - from)) {
            json.nextToken();
            return json.currentToken() == JsonToken.START_OBJECT ? mapping(json) : notAnObject();
        }
    }

    private static Tree.Mapping notAnObject() throws IOException {
        throw new IOException("no JSON object");
    }

    private static Tree.Mapping mapping(JsonParser json) throws IOException {
        Map<String, Tree> entries = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            entries.put(name, value(json));
        }
        return new Tree.Mapping(entries, 0);
    }

    private static Tree value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> mapping(json);
            case START_ARRAY -> {
                List<Tree> items = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(json));
                }
                yield new Tree.Sequence(items, 0);
            }
            case VALUE_STRING -> scalar(json, Tree.Type.TEXT);
            case VALUE_NUMBER_INT -> scalar(json, Tree.Type.WHOLE_NUMBER);
            case VALUE_NUMBER_FLOAT -> scalar(json, Tree.Type.FRACTION);
            case VALUE_TRUE, VALUE_FALSE -> scalar(json, Tree.Type.BOOLEAN);
            case VALUE_NULL -> scalar(json, Tree.Type.NULL);
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new IOException("no JSON value");
        };
    }

    private static Tree.Scalar scalar(JsonParser json, Tree.Type type) throws IOException {
        return new Tree.Scalar(json.getText(), type, 0);
    }
}
