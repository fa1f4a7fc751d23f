package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.IOException;
import java.util.Optional;

/** A single answer in JSON as a tree. */
public final class JsonTree {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonTree() {}

    /** The object that the bytes are; empty when they are none. {@code metadata.managedFields} is left out. */
    public static Optional<Tree.Mapping> read(byte[] bytes) {
        JsonTreeBuilder grower = new JsonTreeBuilder();
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
