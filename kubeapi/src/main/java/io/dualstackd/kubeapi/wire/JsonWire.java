package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.ObjectSchema;

/** The JSON encoding, which every server and every intermediary supports. */
public final class JsonWire implements Wire {
    static final String MEDIA_TYPE = "application/json";

    @Override
    public String mediaType() {
        return MEDIA_TYPE;
    }

    @Override
    public String watchMediaType() {
        return MEDIA_TYPE + ";stream=watch";
    }

    @Override
    public WireDecoder list(ObjectKey.Kind kind, WireListener to) {
        return list(kind, ObjectSchema.of(kind), to);
    }

    private static <T extends ApiObject> WireDecoder list(
            ObjectKey.Kind kind, ObjectSchema<T> objectSchema, WireListener to) {
        return new JsonList<>(new ObjectReader<>(objectSchema, new WireListenerAdapter<>(kind, to)));
    }

    @Override
    public WireDecoder watch(ObjectKey.Kind kind, WireListener to) {
        return watch(kind, ObjectSchema.of(kind), to);
    }

    private static <T extends ApiObject> WireDecoder watch(
            ObjectKey.Kind kind, ObjectSchema<T> objectSchema, WireListener to) {
        return new JsonWatch<>(new ObjectReader<>(objectSchema, new WireListenerAdapter<>(kind, to)));
    }

    @Override
    public ApiStatus status(int code, byte[] body) {
        return JsonStatus.whole(body).map(status -> status.withCode(code)).orElseGet(() -> ApiStatus.of(code));
    }
}
