package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import java.util.Optional;

/** As {@link WireListener}, for objects of any type. */
interface ObjectListener<T> {
    void put(T object, String resourceVersion);

    void gone(T last, String resourceVersion);

    void unreadable(String namespace, String name, String resourceVersion, String why);

    void dropped(IgnoredValue value);

    void bookmark(String resourceVersion, boolean initialEventsEnd);

    void listed(String resourceVersion, Optional<String> continueToken);

    void error(ApiStatus status);
}
