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
    private final Dialect dialect;
    private final ProblemCollector problemCollector;
    private final Map<ObjectKey, Place> earlier;
    private final Map<ObjectKey, Place> seen = new HashMap<>();
    private final List<LocatedObject> objects = new ArrayList<>();
    private final Set<ObjectKey> refused = new HashSet<>();
    private boolean anonymousRefusals;
    private int items;

    /** @param earlier the objects of earlier documents of the file */
    DocumentObjects(Dialect dialect, String file, int number, Map<ObjectKey, Place> earlier) {
        this.dialect = dialect;
        this.problemCollector = new ProblemCollector(file, number);
        this.earlier = earlier;
    }

    Field field(Tree top) {
        return new Field(top, "", problemCollector);
    }

    void item(Tree item) {
        object(new Field(item, "items[" + items++ + "]", problemCollector));
    }

    void object(Field field) {
        int errorsBefore = problemCollector.errors();
        Optional<ObjectHeader> header = ObjectHeader.read(field, dialect);
        if (header.isEmpty()) {
            anonymousRefusals |= problemCollector.errors() > errorsBefore;
            return;
        }
        ObjectKey key = header.get().key();
        problemCollector.about(key.toString());
        Optional<ApiObject> object = decode(header.get(), field);
        Place.InFile place = problemCollector.place(field.tree().line(), field.path());
        if (object.isEmpty() || problemCollector.errors() > errorsBefore) {
            refused.add(key);
        } else {
            Place first = earlier.containsKey(key) ? earlier.get(key) : seen.putIfAbsent(key, place);
            if (first == null) {
                objects.add(new LocatedObject(object.get(), place));
            } else {
                field.refuse(Manifests.duplicate(key, first));
            }
        }
        problemCollector.endObject(field.tree().line());
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
