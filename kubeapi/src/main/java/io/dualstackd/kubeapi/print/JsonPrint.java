package io.dualstackd.kubeapi.print;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Writes trees as JSON. Numbers that JSON does not have become strings. */
public final class JsonPrint {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private JsonPrint() {}

    /** Returns several lines, indented and each ended by a newline. */
    public static String indented(Tree tree) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        return text(tree, Optional.of(printer)) + "\n";
    }

    /** Returns one line without its end, with a blank after each colon and comma. */
    public static String line(Tree tree) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEntrySpacing(Separators.Spacing.AFTER)
                .withArrayValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
        printer.indentObjectsWith(DefaultPrettyPrinter.NopIndenter.instance);
        printer.indentArraysWith(DefaultPrettyPrinter.NopIndenter.instance);
        return text(tree, Optional.of(printer));
    }

    /** Returns one line without blanks. */
    public static String compact(Tree tree) {
        return text(tree, Optional.empty());
    }

    /** Writes as {@link #compact} does, in UTF-8. */
    public static void write(Tree tree, OutputStream out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            write(json, tree);
        }
    }

    /** Returns the number of bytes that {@link #write} writes. */
    public static long size(Tree tree) {
        Counter counter = new Counter();
        try {
            write(tree, counter);
        } catch (IOException e) {
            throw new UncheckedIOException("a counter does not fail", e);
        }
        return counter.bytes;
    }

    /** Counts bytes and drops them. */
    private static final class Counter extends OutputStream {
        private long bytes;

        @Override
        public void write(int value) {
            bytes++;
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            bytes += length;
        }
    }

    private static String text(Tree tree, Optional<PrettyPrinter> printer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            printer.ifPresent(json::setPrettyPrinter);
            write(json, tree);
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does not fail", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Tree tree) throws IOException {
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
            case Tree.Scalar(String text, Tree.Type type, int line) -> {
                switch (type) {
                    case NULL -> json.writeNull();
                    case BOOLEAN -> json.writeBoolean(text.equalsIgnoreCase("true"));
                    case TEXT -> json.writeString(text);
                    case WHOLE_NUMBER, FRACTION -> {
                        if (NUMBER.matcher(text).matches()) {
                            json.writeNumber(text);
                        } else {
                            json.writeString(text);
                        }
                    }
                }
            }
        }
    }
}
