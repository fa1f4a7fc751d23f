package io.dualstackd.kubeapi.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;

/** Reads a single response in JSON as a tree. */
public final class JsonTree {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonTree() {}

    /** Reads the bytes as an object; empty when they are not one. {@code metadata.managedFields} is left out. */
    public static Optional<Tree.Mapping> read(byte[] bytes) {
        JsonTreeBuilder grower = new JsonTreeBuilder("");
        try (JsonParser json = JSON.createParser(bytes)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                Optional<Tree> tree = grower.take(token, json);
                if (tree.isPresent()) {
                    return tree.get() instanceof Tree.Mapping object ? Optional.of(object) : Optional.empty();
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
