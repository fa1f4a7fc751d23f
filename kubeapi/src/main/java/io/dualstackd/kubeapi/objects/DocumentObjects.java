package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects of one document: itself, or the items of a List. Items are decoded before it is known whether the document is a List
 * at all and whether its end is well-formed; if not, the result is discarded.
 */
final class DocumentObjects {
    private static final String LIST = "List";

    private final Dialect dialect;
    private final String namespace;
    private final ProblemCollector problemCollector;
    private final Map<ObjectKey, Place> earlier;
    private final Manifests.Written written;
    private final Map<ObjectKey, Place> seen = new HashMap<>();
    private final List<LocatedObject> objects = new ArrayList<>();
    private final Set<ObjectKey> refused = new HashSet<>();
    private final List<LocatedObject> faulty = new ArrayList<>();
    /** Items without a kind of their own: that of a list with a type of items follows from the kind of the list. */
    private final List<Field> untyped = new ArrayList<>();
    /** The objects as they are named in problems, by their paths. */
    private final Map<String, String> names = new HashMap<>();

    private boolean anonymousRefusals;
    private int items;

    /**
     * @param namespace of objects that name none
     * @param earlier the objects of earlier documents of the file
     * @param written receives the valid objects
     */
    DocumentObjects(
            Dialect dialect,
            String namespace,
            ProblemCollector problemCollector,
            Map<ObjectKey, Place> earlier,
            Manifests.Written written) {
        this.written = written;
        this.dialect = dialect;
        this.namespace = namespace;
        this.problemCollector = problemCollector;
        this.earlier = earlier;
    }

    Field field(Tree top) {
        return new Field(top, "", problemCollector);
    }

    void item(Tree item) {
        Field field = new Field(item, "items[" + items++ + "]", problemCollector);
        if (item instanceof Tree.Mapping
                && (field.field("kind").isEmpty() || field.field("apiVersion").isEmpty())) {
            untyped.add(field);
        } else {
            object(field);
        }
    }

    /** Ends a list: its items without a kind are of the type that the kind of the list names. */
    void endList(Field list) {
        String kind = list.field("kind").map(Field::raw).orElse("");
        for (Field item : untyped) {
            boolean typed = !kind.equals(LIST) && item.tree() instanceof Tree.Mapping;
            object(
                    typed
                            ? new Field(typed((Tree.Mapping) item.tree(), list, kind), item.path(), problemCollector)
                            : item);
        }
        problemCollector.endObject();
    }

    private static Tree.Mapping typed(Tree.Mapping item, Field list, String kind) {
        Field field = new Field(item, "", new ProblemCollector("", 0));
        Tree.Mapping versioned = field.field("apiVersion").isPresent()
                ? item
                : item.with("apiVersion", list.field("apiVersion").map(Field::raw));
        return field.field("kind").isPresent()
                ? versioned
                : versioned.with("kind", kind.substring(0, kind.length() - LIST.length()));
    }

    /** Notes a key that is in an object twice. */
    void twice(String path, int line, int firstLine) {
        int end = path.startsWith("items[") ? path.indexOf(']') + 1 : 0;
        problemCollector.about(names.getOrDefault(path.substring(0, end), names.getOrDefault("", "")));
        problemCollector.twice(line, path, firstLine);
        problemCollector.about("");
    }

    void object(Field field) {
        int errorsBefore = problemCollector.errors();
        String kind = field.field("kind").map(Field::raw).orElse("");
        if (!field.path().isEmpty() && Manifests.isList(kind)) {
            problemCollector.refuse(
                    field.tree().line(), field.path(), kind, "a list inside a list is not read; write its items here");
            anonymousRefusals = true;
            return;
        }
        Optional<ObjectHeader> header = ObjectHeader.read(field, dialect, namespace);
        if (header.isEmpty()) {
            anonymousRefusals |= problemCollector.errors() > errorsBefore;
            return;
        }
        ObjectKey key = header.get().key();
        if (header.get().isNamed()) {
            problemCollector.about(key.toString());
            names.put(field.path(), key.toString());
        }
        if (header.get().mistyped().isPresent()) {
            mistyped(header.get(), field, problemCollector.errors() > errorsBefore);
            return;
        }
        // An object whose name or namespace is wrong may have been meant as any other.
        anonymousRefusals |= problemCollector.errors() > errorsBefore;
        Optional<ApiObject> object = decode(header.get(), field);
        Place.InFile place = problemCollector.place(field.tree().line(), field.path());
        if (!header.get().isNamed()) {
            anonymousRefusals = true;
        } else if (object.isEmpty() || problemCollector.errors() > errorsBefore) {
            refused.add(key);
        } else {
            Place first = earlier.containsKey(key) ? earlier.get(key) : seen.putIfAbsent(key, place);
            if (first == null) {
                LocatedObject valid = new LocatedObject(object.get(), place);
                objects.add(valid);
                written.object(valid, field.tree());
            } else {
                field.refuse(Manifests.duplicate(key, first));
            }
        }
        if (problemCollector.errors() > errorsBefore && object.orElse(null) instanceof WrittenService service) {
            faulty.add(new LocatedObject(service, place));
        }
        problemCollector.endObject();
    }

    /** Refuses an object whose kind is only probable. */
    private void mistyped(ObjectHeader header, Field field, boolean unidentified) {
        String kind = field.field("apiVersion").map(Field::raw).orElse("") + " "
                + field.field("kind").map(Field::raw).orElse("");
        problemCollector.refuse(
                field.tree().line(), field.path(), kind, header.mistyped().orElse(""));
        anonymousRefusals |= unidentified;
        if (header.isNamed()) {
            refused.add(header.key());
        }
        problemCollector.endObject();
    }

    /** Returns empty or an invalid object when something was refused. */
    private Optional<ApiObject> decode(ObjectHeader objectHeader, Field field) {
        return switch (objectHeader.key().kind()) {
            case SERVICE ->
                Optional.of(
                        switch (dialect) {
                            case STORED -> ServiceDecoder.decode(objectHeader, field);
                            case WRITTEN -> WrittenServiceDecoder.decode(objectHeader, field);
                        });
            case ENDPOINT_SLICE -> Optional.of(SliceDecoder.decode(objectHeader, field));
            case ENDPOINTS -> Optional.of(EndpointsDecoder.decode(objectHeader, field));
            case NODE -> Optional.of(NodeDecoder.decode(objectHeader, field));
            case SERVICE_CIDR -> Optional.of(ServiceCidrDecoder.decode(objectHeader, field));
            case IP_ADDRESS -> IpAddressDecoder.decode(objectHeader, field);
        };
    }

    List<LocatedObject> objects() {
        return objects;
    }

    /** Services as written that are refused. */
    List<LocatedObject> faulty() {
        return faulty;
    }

    Set<ObjectKey> refused() {
        return refused;
    }

    /** Whether an object was refused whose kind and name could not be read. */
    boolean anonymousRefusals() {
        return anonymousRefusals;
    }

    ProblemCollector problemCollector() {
        return problemCollector;
    }
}
