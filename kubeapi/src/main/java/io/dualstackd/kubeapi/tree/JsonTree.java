package io.dualstackd.kubeapi.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads JSON that is in memory as a tree. */
public final class JsonTree {
    private static final JsonFactory JSON = new JsonFactory();
    /** For what this program wrote itself: {@code JsonPrint} has no limits. */
    private static final JsonFactory OWN = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private static final JsonFactory OF_DOCUMENTS = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(TreeReader.MAX_DEPTH - 1)
                    .maxNameLength(TreeReader.MAX_KEY)
                    .build())
            .build();

    private JsonTree() {}

    /** Reads an answer of an API server; empty when it is not an object. {@code metadata.managedFields} is left out. */
    public static Optional<Tree.Mapping> read(byte[] bytes) {
        try (JsonParser json = JSON.createParser(bytes)) {
            return next(json, JsonTreeBuilder.withoutManagedFields())
                    .flatMap(tree -> tree instanceof Tree.Mapping object ? Optional.of(object) : Optional.empty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads the bytes from an offset on, as {@code JsonPrint} wrote them: numbers, names and texts may have any length.
     *
     * @throws IOException when they are not an object
     */
    public static Tree.Mapping read(byte[] bytes, int from) throws IOException {
        try (JsonParser json = OWN.createParser(bytes, from, bytes.length - from)) {
            if (next(json, JsonTreeBuilder.whole()).orElse(null) instanceof Tree.Mapping object) {
                return object;
            }
            throw new IOException("no JSON object");
        }
    }

    /** Reads a document of a file; empty when the full parser has to read it, even if items were delivered already. */
    static Optional<Tree> document(byte[] text, int length, int firstLine, Consumer<Tree> items) {
        try (JsonParser json = OF_DOCUMENTS.createParser(text, 0, length)) {
            Optional<Tree> tree = next(json, JsonTreeBuilder.ofDocument(firstLine, items));
            return json.nextToken() == null ? tree : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Tree> next(JsonParser json, JsonTreeBuilder builder) throws IOException {
        for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
            Optional<Tree> tree = builder.take(token, json);
            if (tree.isPresent()) {
                return tree;
            }
        }
        return Optional.empty();
    }
}
