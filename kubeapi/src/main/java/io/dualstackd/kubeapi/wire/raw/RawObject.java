package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.tree.Field;
import java.io.IOException;

/**
 * The fields read of one object, in either encoding, before a record is made of them: so both encodings have the same meaning by
 * construction.
 *
 * @param <T> the record that is made
 */
public abstract class RawObject<T> {
    public final RawMetadata meta = new RawMetadata();

    /** Reads the object's message up to its end. */
    public abstract void proto(ProtoReader in) throws IOException;

    /** Reads the object from a tree; values of a wrong type are noted there. */
    public abstract void json(Field object);

    /** Returns the object, with the API server's defaults; called when {@link #meta} has a name. */
    public abstract T build(IgnoredValues ignoredValues);
}
