package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.objects.ObjectKey;

/** Changes what sources say, for people who ask on the admin socket. Any thread may ask; who asks waits. */
public interface ManifestEditor {
    /**
     * Objects shall be as this text says.
     *
     * @param name of the text, for problems
     * @param namespace of objects that name none
     * @param dryRun only say what would become of it
     */
    EditResult apply(String name, String text, String namespace, boolean dryRun);

    /**
     * Objects that this text names shall be gone; what else it says of them does not matter.
     *
     * @param optional whether it is fine that one is gone already
     */
    EditResult delete(String name, String text, String namespace, boolean optional, boolean dryRun);

    /** An object shall be gone. */
    EditResult delete(ObjectKey key, boolean optional, boolean dryRun);
}
