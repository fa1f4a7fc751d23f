package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.Optional;

/** Decodes a list in JSON; no more than one item of it is a tree at a time. */
final class JsonList<T> extends JsonTokens {
    /** The position of the next token in the list. */
    private enum Inside {
        NOTHING,
        LIST,
        ITEMS,
        /** After the list's end. */
        DONE
    }

    private final ObjectReader<T> objects;
    private final JsonTreeBuilder grower = new JsonTreeBuilder();
    private Inside inside = Inside.NOTHING;
    private String name = "";
    private String resourceVersion = "";
    private String continueToken = "";

    JsonList(ObjectReader<T> objects) {
        this.objects = objects;
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
        } else if (name.equals("kind") && !field.raw().equals(objects.kind() + "List")) {
            throw wrong("a " + field.raw() + " where a " + objects.kind() + "List was asked for");
        }
        objectBoundary();
    }

    private void item(JsonToken token, JsonParser json) throws IOException {
        if (grower.isEmpty() && token == JsonToken.END_ARRAY) {
            inside = Inside.LIST;
            return;
        }
        Optional<Tree> item = grower.take(token, json);
        item.ifPresent(tree -> objects.json(ObjectReader.Verb.PUT, tree));
        if (item.isPresent()) {
            objectBoundary();
        }
    }

    @Override
    public void end() throws WireException {
        finish();
        if (inside != Inside.DONE) {
            throw wrong("the list ends in the middle");
        }
        objects.to().listed(resourceVersion, continueToken.isEmpty() ? Optional.empty() : Optional.of(continueToken));
    }
}
