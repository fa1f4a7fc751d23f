package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.JsonWriting;
import io.dualstackd.kubeapi.wire.ProtoWriting;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Protobuf or JSON. */
record TestWriting(boolean proto) {
    String mediaType() {
        return proto ? "application/vnd.kubernetes.protobuf" : "application/json";
    }

    byte[] list(ObjectKey.Kind kind, List<TestObjects.Versioned> items, long version, Optional<String> more) {
        String list = Long.toString(version);
        return proto
                ? ProtoWriting.list(
                        kind,
                        items.stream()
                                .map(item -> ProtoWriting.object(item.object(), Long.toString(item.version())))
                                .toList(),
                        list,
                        more)
                : utf8(JsonWriting.list(
                        kind,
                        items.stream()
                                .map(item -> JsonWriting.object(item.object(), Long.toString(item.version())))
                                .toList(),
                        list,
                        more));
    }

    byte[] event(String type, TestObjects.Versioned item) {
        ObjectKey.Kind kind = item.object().key().kind();
        String version = Long.toString(item.version());
        return proto
                ? ProtoWriting.event(type, kind, ProtoWriting.object(item.object(), version))
                : utf8(JsonWriting.event(type, kind, JsonWriting.object(item.object(), version)));
    }

    byte[] bookmark(ObjectKey.Kind kind, long version, boolean initialEventsEnd) {
        return proto
                ? ProtoWriting.bookmark(kind, Long.toString(version), initialEventsEnd)
                : utf8(JsonWriting.bookmark(kind, Long.toString(version), initialEventsEnd));
    }

    byte[] error(ApiStatus status) {
        return proto
                ? ProtoWriting.error(status)
                : utf8("{\"type\":\"ERROR\",\"object\":" + JsonWriting.status(status) + "}\n");
    }

    byte[] status(ApiStatus status) {
        return proto ? ProtoWriting.status(status) : utf8(JsonWriting.status(status));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
