package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import java.util.Optional;

/** Told what a list or a watch contains, in the order in which it is there. */
public interface WireListener {
    /** An item of a list; an object that a watch calls added or modified. */
    void put(ApiObject object, String resourceVersion);

    /** An object that a watch calls deleted. */
    void gone(ObjectKey key, String resourceVersion);

    /**
     * An object that is there (a list's item, added, modified) but is not valid for us, as far as its name could be read.
     *
     * @param why names field, value and rule
     */
    void unreadable(ObjectKey key, String resourceVersion, String why);

    /** A single value that made no sense and was left out of the object that follows. */
    default void dropped(IgnoredValue value) {}

    /**
     * A watch has come so far.
     *
     * @param initialEventsEnd with the annotation {@code k8s.io/initial-events-end: "true"}: everything there was has been told
     */
    void bookmark(String resourceVersion, boolean initialEventsEnd);

    /**
     * A list is over; told once, before {@link WireDecoder#end} returns.
     *
     * @param resourceVersion of the list
     * @param continueToken of the next page; empty when this was the last one
     */
    void listed(String resourceVersion, Optional<String> continueToken);

    /** A watch's event {@code ERROR}; nothing comes after it. */
    void error(ApiStatus status);
}
