package io.dualstackd.agent.admin.pods;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.dualstackd.agent.pod.Pod;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@link PodsReport} for programs. */
public final class PodsDocument {
    private static final JsonFactory JSON = new JsonFactory();

    private PodsDocument() {}

    /** One of the two languages, ended by a newline. */
    public enum Language {
        JSON,
        YAML
    }

    /** @param pod only this one; empty for a list of all */
    public static String of(PodsReport report, Optional<Pod> pod, Language language) {
        Map<String, Object> object =
                pod.map(one -> PodObjects.one(report, one)).orElseGet(() -> PodObjects.list(report));
        return switch (language) {
            case JSON -> json(object);
            case YAML -> {
                StringBuilder text = new StringBuilder();
                mapping(text, object, "", "");
                yield text.toString();
            }
        };
    }

    private static String json(Map<String, Object> object) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
            printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
            json.setPrettyPrinter(printer);
            value(json, object);
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does not fail", e);
        }
        return text.append('\n').toString();
    }

    private static void value(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(entry.getKey().toString());
                    value(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                for (Object item : list) {
                    value(json, item);
                }
                json.writeEndArray();
            }
            case Boolean truth -> json.writeBoolean(truth);
            case Long number -> json.writeNumber(number);
            default -> json.writeString(value.toString());
        }
    }

    /** @param first what stands before the first key instead of the indentation */
    private static void mapping(StringBuilder text, Map<?, ?> map, String indent, String first) {
        String lead = first.isEmpty() ? indent : first;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(lead).append(scalar(entry.getKey())).append(':');
            nested(text, entry.getValue(), indent);
            lead = indent;
        }
    }

    private static void nested(StringBuilder text, Object value, String indent) {
        switch (value) {
            case Map<?, ?> map
            when !map.isEmpty() -> {
                text.append('\n');
                mapping(text, map, indent + "  ", "");
            }
            case Map<?, ?> ignored -> text.append(" {}\n");
            case List<?> list
            when !list.isEmpty() -> {
                text.append('\n');
                // Items of ours are mappings only.
                list.forEach(item -> mapping(text, (Map<?, ?>) item, indent + "  ", indent + "- "));
            }
            case List<?> ignored -> text.append(" []\n");
            default -> text.append(' ').append(scalar(value)).append('\n');
        }
    }

    /** Plain where nobody could read anything else into it, else quoted as JSON, which YAML understands. */
    private static String scalar(Object value) {
        String text = value.toString();
        boolean plain = !(value instanceof String)
                || (text.matches("[A-Za-z/][A-Za-z0-9./_-]*")
                        && !text.matches("(?i)true|false|null|yes|no|on|off|y|n"));
        return plain
                ? text
                : "\"" + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
