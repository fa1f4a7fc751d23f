package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records what a decoder delivers. */
final class Recorded implements WireListener {
    final List<ApiObject> objects = new ArrayList<>();
    final List<Object> recorded = new ArrayList<>();
    final List<IgnoredValue> dropped = new ArrayList<>();

    @Override
    public void put(ApiObject object, String resourceVersion) {
        objects.add(object);
        recorded.add(List.of("put", object, resourceVersion));
    }

    @Override
    public void gone(ObjectKey key, String resourceVersion) {
        recorded.add(List.of("gone", key, resourceVersion));
    }

    @Override
    public void unreadable(ObjectKey key, String resourceVersion, String why) {
        recorded.add(List.of("unreadable", key, resourceVersion, why));
    }

    @Override
    public void dropped(IgnoredValue value) {
        dropped.add(value);
    }

    @Override
    public void bookmark(String resourceVersion, boolean initialEventsEnd) {
        recorded.add(List.of("bookmark", resourceVersion, initialEventsEnd));
    }

    @Override
    public void listed(String resourceVersion, Optional<String> continueToken) {
        recorded.add(List.of("listed", resourceVersion, continueToken));
    }

    @Override
    public void error(ApiStatus status) {
        recorded.add(List.of("error", status));
    }
}
