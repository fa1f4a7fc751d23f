package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import io.dualstackd.kubeapi.wire.raw.JsonReader;
import io.dualstackd.kubeapi.wire.raw.NamePool;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.RawMetadata;
import io.dualstackd.kubeapi.wire.raw.RawObject;
import io.dualstackd.kubeapi.wire.raw.WellKnownLabel;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Reads the objects of one response and passes them to a listener. */
final class ObjectReader {
    /** Maximum size of an object in bytes; by default etcd stores none above 1.5 MiB. */
    static final int MAX = 8 * 1024 * 1024;

    /** The kind of an event of a watch; the object of an error is a {@code Status}. */
    enum Verb {
        PUT,
        GONE,
        BOOKMARK,
        ERROR;

        /** @throws WireException for an unknown type of event */
        static Verb of(String event, long position) throws WireException {
            return switch (event) {
                case "ADDED", "MODIFIED" -> PUT;
                case "DELETED" -> GONE;
                case "BOOKMARK" -> BOOKMARK;
                case "ERROR" -> ERROR;
                default ->
                    throw WireException.at(position, "a watch event of type \"" + event + "\", which we do not know");
            };
        }
    }

    private final ObjectKey.Kind kind;
    private final WireListener to;
    private final NamePool names = new NamePool();
    private final ProtoReader proto = new ProtoReader(names);

    ObjectReader(ObjectKey.Kind kind, WireListener to) {
        this.kind = kind;
        this.to = to;
    }

    WireListener to() {
        return to;
    }

    NamePool names() {
        return names;
    }

    /** @throws WireException if an object of this length is too large */
    static void checkSize(long length, long position) throws WireException {
        if (length < 0 || length > MAX) {
            throw WireException.at(
                    position,
                    "an object of " + Integer.toUnsignedString((int) length) + " bytes; no more than " + MAX
                            + " are read");
        }
    }

    /** @throws WireException if it is not a list of the kind */
    static void checkListed(String listed, String kind, long position) throws WireException {
        if (!listed.equals(kind + "List")) {
            String what = listed.isEmpty() ? "an object without kind" : "a " + listed;
            throw WireException.at(position, what + " where a " + kind + "List was asked for");
        }
    }

    /** @throws WireException if another kind is watched; without a kind, it is the right one */
    void checkWatched(String watched, long position) throws WireException {
        if (!watched.isEmpty() && !watched.equals(kind.toString())) {
            throw WireException.at(position, "a " + watched + " in a watch of " + kind);
        }
    }

    ObjectKey.Kind kind() {
        return kind;
    }

    /** @param position of the object in the response, in bytes */
    void proto(Verb verb, byte[] bytes, int at, int length, long position) throws WireException {
        RawObject object = RawObject.of(kind);
        try {
            object.read(proto.over(bytes, at, length));
        } catch (IOException e) {
            throw proto.wrong(position, kind.toString(), e);
        }
        deliver(verb, object, List.of());
    }

    void json(Verb verb, Tree tree) throws IOException {
        RawObject object = RawObject.of(kind);
        ProblemCollector problemCollector = new ProblemCollector("", 0);
        object.read(new JsonReader(new Field(tree, "", problemCollector), names));
        deliver(verb, object, problemCollector.problems());
    }

    private void deliver(Verb verb, RawObject object, List<Problem> wrongTypes) {
        RawMetadata meta = object.meta;
        Optional<String> refused = verb == Verb.BOOKMARK ? Optional.empty() : meta.refuse(kind.namespaced());
        ObjectKey key = new ObjectKey(kind, meta.namespace(), meta.name());
        switch (verb) {
            case BOOKMARK ->
                to.bookmark(
                        meta.resourceVersion(),
                        meta.mark(WellKnownLabel.INITIAL_EVENTS_END)
                                .filter("true"::equals)
                                .isPresent());
            case PUT -> {
                if (refused.isPresent()) {
                    to.unreadable(key, meta.resourceVersion(), refused.get());
                } else {
                    put(object, wrongTypes);
                }
            }
            case GONE -> {
                // An object that was never reported cannot be removed.
                if (refused.isEmpty()) {
                    to.gone(key, meta.resourceVersion());
                }
            }
            case ERROR -> throw new IllegalArgumentException("an error is no object");
        }
    }

    private void put(RawObject object, List<Problem> wrongTypes) {
        for (Problem problem : wrongTypes) {
            object.ignored.drop(field(problem), problem.value(), problem.rule());
        }
        ApiObject built = object.build();
        for (IgnoredValue value : object.ignored.values()) {
            to.dropped(value);
        }
        to.put(built, object.meta.resourceVersion());
    }

    private static String field(Problem problem) {
        return problem.place() instanceof Place.InFile place ? place.field() : "";
    }
}
