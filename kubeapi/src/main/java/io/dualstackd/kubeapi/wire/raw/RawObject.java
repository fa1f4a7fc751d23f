package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.tree.Field;
import java.io.IOException;

/**
 * What was read of one object, in either encoding, before anything is made of it: so both encodings mean the same by construction.
 *
 * @param <T> what is made of it
 */
public abstract class RawObject<T> {
    public final RawMetadata meta = new RawMetadata();

    /** Reads the object's message up to its end. */
    public abstract void proto(ProtoReader in) throws IOException;

    /** Reads the object from a tree; values of a wrong kind are noted there. */
    public abstract void json(Field object);

    /** The object, with the defaults an API server fills in; called when {@link #meta} has a name. */
    public abstract T build(IgnoredValues ignoredValues);
}
