package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import java.util.Optional;

/** Passes objects to a {@link WireListener}. */
record WireListenerAdapter<T extends ApiObject>(ObjectKey.Kind kind, WireListener to) implements ObjectListener<T> {
    @Override
    public void put(T object, String resourceVersion) {
        to.put(object, resourceVersion);
    }

    @Override
    public void gone(T last, String resourceVersion) {
        to.gone(last.key(), resourceVersion);
    }

    @Override
    public void unreadable(String namespace, String name, String resourceVersion, String why) {
        to.unreadable(new ObjectKey(kind, namespace, name), resourceVersion, why);
    }

    @Override
    public void dropped(IgnoredValue value) {
        to.dropped(value);
    }

    @Override
    public void bookmark(String resourceVersion, boolean initialEventsEnd) {
        to.bookmark(resourceVersion, initialEventsEnd);
    }

    @Override
    public void listed(String resourceVersion, Optional<String> continueToken) {
        to.listed(resourceVersion, continueToken);
    }

    @Override
    public void error(ApiStatus status) {
        to.error(status);
    }
}
