package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.JsonTreeBuilder;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Decodes a list in JSON; no more than one item of it is a tree at a time. */
final class JsonList extends JsonTokens {
    /** Receives each item. */
    interface Items {
        void take(Tree item) throws IOException;
    }

    private final String kind;
    private final Items items;
    private final BiConsumer<String, Optional<String>> listed;
    private final JsonTreeBuilder builder = JsonTreeBuilder.ofList();
    /** The list without its items, once it is complete. */
    private Optional<Field> list = Optional.empty();

    /**
     * @param kind of the items
     * @param listed receives the version and the continue token at the end
     */
    JsonList(String kind, Items items, BiConsumer<String, Optional<String>> listed) {
        this.kind = kind;
        this.items = items;
        this.listed = listed;
    }

    @Override
    void token(JsonToken token, JsonParser json) throws IOException, WireException {
        if (list.isPresent()) {
            throw wrong("more text after the list");
        } else if (builder.isEmpty() && token != JsonToken.START_OBJECT) {
            throw wrong("a list in JSON begins with {");
        }
        Optional<Tree> value = builder.take(token, json);
        if (builder.isEmpty()) {
            list = value.map(tree -> new Field(tree, "", new ProblemCollector("", 0)));
        } else if (value.isPresent()) {
            items.take(value.get());
        }
        if (builder.isOutside()) {
            Tree listKind = builder.outer("kind");
            if (listKind != null) {
                ObjectReader.checkListed(listKind instanceof Tree.Scalar scalar ? scalar.text() : "", kind, position());
            }
            objectBoundary();
        }
    }

    @Override
    public void end() throws WireException {
        finish();
        if (list.isEmpty()) {
            throw wrong("the list ends in the middle");
        }
        // {} is no list without items, after which everything would be removed.
        ObjectReader.checkListed(list.get().textOrEmpty("kind"), kind, position());
        Optional<Field> metadata = list.get().object("metadata");
        listed.accept(
                metadata.map(fields -> fields.textOrEmpty("resourceVersion")).orElse(""),
                metadata.flatMap(fields -> fields.text("continue")).filter(token -> !token.isEmpty()));
    }
}
