package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.Optional;

/** Decodes a watch in JSON: objects with {@code type} and {@code object}, one after the other. */
final class JsonWatch<T> extends JsonTokens {
    private final ObjectReader<T> objects;
    private final JsonTreeBuilder grower = new JsonTreeBuilder();

    JsonWatch(ObjectReader<T> objects) {
        this.objects = objects;
    }

    @Override
    void token(JsonToken token, JsonParser json) throws IOException, WireException {
        Optional<Tree> event = grower.take(token, json);
        if (event.isPresent()) {
            event(new Field(event.get(), "", new ProblemCollector("", 0)));
            objectBoundary();
        }
    }

    private void event(Field event) throws WireException {
        String type = event.textOrEmpty("type");
        Optional<Field> object = event.object("object");
        if (object.isEmpty()) {
            throw wrong("a watch event \"" + type + "\" without object");
        }
        switch (type) {
            case "ADDED", "MODIFIED" -> tell(ObjectReader.Verb.PUT, object.get());
            case "DELETED" -> tell(ObjectReader.Verb.GONE, object.get());
            case "BOOKMARK" -> tell(ObjectReader.Verb.BOOKMARK, object.get());
            case "ERROR" -> objects.to().error(JsonStatus.read(object.get()));
            default -> throw wrong("a watch event of type \"" + type + "\", which we do not know");
        }
    }

    private void tell(ObjectReader.Verb verb, Field object) throws WireException {
        String kind = object.textOrEmpty("kind");
        if (!kind.isEmpty() && !kind.equals(objects.kind())) {
            throw wrong("a " + kind + " in a watch of " + objects.kind());
        }
        objects.json(verb, object.tree());
    }

    @Override
    public void end() throws WireException {
        finish();
        if (!grower.isEmpty()) {
            throw wrong("the watch ends in the middle of an event");
        }
    }
}
