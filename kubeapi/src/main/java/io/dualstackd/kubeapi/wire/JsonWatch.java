package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.JsonTreeBuilder;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.JsonReader;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.Optional;

/** Decodes a watch in JSON: objects with {@code type} and {@code object}, one after the other. */
final class JsonWatch extends JsonTokens {
    private final ObjectReader objects;
    private final JsonTreeBuilder builder = JsonTreeBuilder.withoutManagedFields();

    JsonWatch(ObjectReader objects) {
        this.objects = objects;
    }

    @Override
    void token(JsonToken token, JsonParser json) throws IOException, WireException {
        Optional<Tree> event = builder.take(token, json);
        if (event.isPresent()) {
            event(new Field(event.get(), "", new ProblemCollector("", 0)));
            objectBoundary();
        }
    }

    private void event(Field event) throws IOException, WireException {
        String type = event.textOrEmpty("type");
        Optional<Field> object = event.object("object");
        if (object.isEmpty()) {
            throw wrong("a watch event \"" + type + "\" without object");
        }
        ObjectReader.Verb verb = ObjectReader.Verb.of(type, position());
        if (verb == ObjectReader.Verb.ERROR) {
            objects.to().error(ApiStatus.read(new JsonReader(object.get(), objects.names())));
            return;
        }
        objects.checkWatched(object.get().textOrEmpty("kind"), position());
        objects.json(verb, object.get().tree());
    }

    @Override
    public void end() throws WireException {
        finish();
        if (!builder.isEmpty()) {
            throw wrong("the watch ends in the middle of an event");
        }
    }
}
