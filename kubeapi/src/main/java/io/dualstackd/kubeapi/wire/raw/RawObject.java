package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The fields read of one object, before a record is made of them. */
public abstract class RawObject {
    public final RawMetadata meta = new RawMetadata();
    /** The values that were dropped so far. */
    public final IgnoredValues ignored;

    private final Message fields;

    /** @param fields of the object, {@code metadata} among them */
    RawObject(ObjectKey.Kind kind, Message fields) {
        this.fields = fields;
        ignored = new IgnoredValues(kind.toString(), meta);
    }

    /** @throws IllegalArgumentException for a kind that is never requested from a server */
    public static RawObject of(ObjectKey.Kind kind) {
        return switch (kind) {
            case SERVICE -> new RawService();
            case ENDPOINT_SLICE -> new RawEndpointSlice();
            case NODE -> new RawNode();
            case SERVICE_CIDR -> new RawServiceCidr();
            case IP_ADDRESS, ENDPOINTS -> throw new IllegalArgumentException(kind + " of a cluster is not read");
        };
    }

    /** Reads the object up to its end. */
    public final void read(FieldReader in) throws IOException {
        in.enter(fields);
        while (in.next()) {
            if (in.field().equals("metadata")) {
                meta.read(in);
            } else {
                part(in);
            }
        }
    }

    /** Reads a field of the object other than {@code metadata}. */
    abstract void part(FieldReader in) throws IOException;

    /** Returns the object, with the API server's defaults; called when {@link #meta} has a name. */
    public abstract ApiObject build();

    /** Returns the list with one more text; most lists stay empty, which costs nothing. */
    static List<String> plus(List<String> list, String text) {
        List<String> grown = list.isEmpty() ? new ArrayList<>(2) : list;
        grown.add(text);
        return grown;
    }
}
