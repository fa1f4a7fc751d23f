package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import java.util.Optional;

/** Receives the content of a list or a watch, in the order of the response. */
public interface WireListener {
    /** An item of a list; an object that a watch reports as added or modified. */
    void put(ApiObject object, String resourceVersion);

    /** An object that a watch reports as deleted. */
    void gone(ObjectKey key, String resourceVersion);

    /**
     * An object that exists (a list's item, added, modified) but is not valid, and whose name could be read.
     *
     * @param why names field, value and rule
     */
    void unreadable(ObjectKey key, String resourceVersion, String why);

    /** A single value that was invalid and was left out of the object that follows. */
    default void dropped(IgnoredValue value) {}

    /**
     * A watch has reached this version.
     *
     * @param initialEventsEnd with the annotation {@code k8s.io/initial-events-end: "true"}: all existing objects have been delivered
     */
    void bookmark(String resourceVersion, boolean initialEventsEnd);

    /**
     * A list is complete; called once, before {@link WireDecoder#end} returns.
     *
     * @param resourceVersion of the list
     * @param continueToken of the next page; empty when this was the last one
     */
    void listed(String resourceVersion, Optional<String> continueToken);

    /** An event {@code ERROR} of a watch; no events follow. */
    void error(ApiStatus status);
}
