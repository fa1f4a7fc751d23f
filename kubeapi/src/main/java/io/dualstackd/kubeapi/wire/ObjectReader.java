package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.IgnoredValues;
import io.dualstackd.kubeapi.wire.raw.NamePool;
import io.dualstackd.kubeapi.wire.raw.ObjectSchema;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.RawMetadata;
import io.dualstackd.kubeapi.wire.raw.RawObject;
import io.dualstackd.kubeapi.wire.raw.WellKnownLabel;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Reads the objects of one response and passes them to a listener. */
final class ObjectReader<T> {
    /** What happened to an object. */
    enum Verb {
        PUT,
        GONE,
        BOOKMARK
    }

    private final ObjectSchema<T> objectSchema;
    private final ObjectListener<T> to;
    private final NamePool names = new NamePool();

    ObjectReader(ObjectSchema<T> objectSchema, ObjectListener<T> to) {
        this.objectSchema = objectSchema;
        this.to = to;
    }

    String kind() {
        return objectSchema.kind();
    }

    ObjectListener<T> to() {
        return to;
    }

    NamePool names() {
        return names;
    }

    /** @param position of the object in the response, in bytes */
    void proto(Verb verb, byte[] bytes, int at, int length, long position) throws WireException {
        RawObject<T> rawObject = objectSchema.parts().get();
        ProtoReader in = new ProtoReader(bytes, at, length, names);
        try {
            rawObject.proto(in);
        } catch (IOException e) {
            throw in.wrong(position, objectSchema.kind(), e);
        }
        tell(verb, rawObject, List.of());
    }

    void json(Verb verb, Tree tree) {
        RawObject<T> rawObject = objectSchema.parts().get();
        ProblemCollector problemCollector = new ProblemCollector("", 0);
        Field object = new Field(tree, "", problemCollector);
        object.object("metadata").ifPresent(rawObject.meta::json);
        rawObject.json(object);
        tell(verb, rawObject, problemCollector.problems());
    }

    private void tell(Verb verb, RawObject<T> rawObject, List<Problem> wrongKinds) {
        RawMetadata meta = rawObject.meta;
        switch (verb) {
            case BOOKMARK ->
                to.bookmark(
                        meta.resourceVersion(),
                        meta.mark(WellKnownLabel.INITIAL_EVENTS_END)
                                .filter("true"::equals)
                                .isPresent());
            case PUT -> {
                Optional<String> refused = meta.refuse(objectSchema.namespaced());
                if (refused.isPresent()) {
                    to.unreadable(meta.namespace(), meta.name(), meta.resourceVersion(), refused.get());
                } else {
                    IgnoredValues ignoredValues = new IgnoredValues(objectSchema.kind(), meta);
                    wrongKinds.forEach(problem -> ignoredValues.drop(field(problem), problem.value(), problem.rule()));
                    T object = rawObject.build(ignoredValues);
                    ignoredValues.values().forEach(to::dropped);
                    to.put(object, meta.resourceVersion());
                }
            }
            case GONE -> {
                // An object that was never reported cannot be removed.
                if (meta.refuse(objectSchema.namespaced()).isEmpty()) {
                    to.gone(rawObject.build(new IgnoredValues(objectSchema.kind(), meta)), meta.resourceVersion());
                }
            }
        }
    }

    private static String field(Problem problem) {
        return problem.place() instanceof Place.InFile place ? place.field() : "";
    }
}
