package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.List;

/** Changes the objects of sources, for requests on the admin socket. May be called from any thread; calls block until the result is known. */
public interface ManifestEditor {
    /**
     * Sets objects as these texts contain them: all or none.
     *
     * @param namespace of objects without a namespace
     * @param fields what becomes of unknown and duplicate fields
     */
    EditResult apply(List<NamedText> texts, String namespace, EditMode mode, FieldValidation fields);

    /**
     * Removes the objects that these texts name: all or none; their other fields are ignored.
     *
     * @param optional whether an object that does not exist is accepted
     */
    EditResult delete(List<NamedText> texts, String namespace, boolean optional, boolean dryRun);

    /** The text of an object, to be edited and given back to {@link #replace}. Nothing is changed. */
    ObjectText text(ObjectKey key);

    /**
     * Replaces the text of one object by exactly this one, comments included.
     *
     * @param version of the text that was edited ({@link ObjectText#version}); another one is not overwritten
     * @param fields what becomes of unknown and duplicate fields
     */
    EditResult replace(ObjectKey key, String version, NamedText text, FieldValidation fields);

    /** Removes an object. */
    EditResult delete(ObjectKey key, boolean optional, boolean dryRun);
}
