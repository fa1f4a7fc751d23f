package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Decodes a list in JSON; no more than one item of it is a tree at a time. */
final class JsonList extends JsonTokens {
    /** The position of the next token in the list. */
    private enum Inside {
        NOTHING,
        LIST,
        ITEMS,
        /** After the list's end. */
        DONE
    }

    /** Receives each item. */
    interface Items {
        void take(Tree item) throws IOException;
    }

    private final String kind;
    private final Items items;
    private final BiConsumer<String, Optional<String>> listed;
    private final JsonTreeBuilder grower = new JsonTreeBuilder();
    private Inside inside = Inside.NOTHING;
    private String name = "";
    private String resourceVersion = "";
    private String continueToken = "";

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
        switch (inside) {
            case NOTHING -> {
                if (token != JsonToken.START_OBJECT) {
                    throw wrong("a list in JSON begins with {");
                }
                inside = Inside.LIST;
            }
            case LIST -> list(token, json);
            case ITEMS -> item(token, json);
            case DONE -> throw wrong("more text after the list");
        }
    }

    private void list(JsonToken token, JsonParser json) throws IOException, WireException {
        if (grower.isEmpty()) {
            if (token == JsonToken.END_OBJECT) {
                inside = Inside.DONE;
                return;
            } else if (token == JsonToken.FIELD_NAME) {
                name = json.currentName();
                objectBoundary();
                return;
            } else if (token == JsonToken.START_ARRAY && name.equals("items")) {
                inside = Inside.ITEMS;
                return;
            }
        }
        Optional<Tree> value = grower.take(token, json);
        if (value.isPresent()) {
            value(value.get());
        }
    }

    private void value(Tree value) throws WireException {
        Field field = new Field(value, name, new ProblemCollector("", 0));
        if (name.equals("metadata")) {
            resourceVersion = field.textOrEmpty("resourceVersion");
            continueToken = field.textOrEmpty("continue");
        } else if (name.equals("kind")) {
            ObjectReader.checkListed(field.raw(), kind, position());
        }
        objectBoundary();
    }

    private void item(JsonToken token, JsonParser json) throws IOException {
        if (grower.isEmpty() && token == JsonToken.END_ARRAY) {
            inside = Inside.LIST;
            return;
        }
        Optional<Tree> item = grower.take(token, json);
        if (item.isPresent()) {
            items.take(item.get());
            objectBoundary();
        }
    }

    @Override
    public void end() throws WireException {
        finish();
        if (inside != Inside.DONE) {
            throw wrong("the list ends in the middle");
        }
        listed.accept(resourceVersion, Optional.of(continueToken).filter(token -> !token.isEmpty()));
    }
}
