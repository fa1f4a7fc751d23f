package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.objects.ObjectKey;

/**
 * Changes the objects of sources, for requests on the admin socket. May be called from any thread; calls block until the result is known.
 */
public interface ManifestEditor {
    /**
     * Sets objects as this text contains them.
     *
     * @param name of the text, for problems
     * @param namespace of objects without a namespace
     * @param dryRun only report what would happen
     */
    EditResult apply(String name, String text, String namespace, boolean dryRun);

    /**
     * Removes the objects that this text names; their other fields are ignored.
     *
     * @param optional whether an object that does not exist is accepted
     */
    EditResult delete(String name, String text, String namespace, boolean optional, boolean dryRun);

    /** Removes an object. */
    EditResult delete(ObjectKey key, boolean optional, boolean dryRun);
}
