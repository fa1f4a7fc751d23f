package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.raw.ObjectSchema;

/** Kubernetes' protobuf encoding: less than half of the bytes and the processing time of JSON. */
public final class ProtobufWire implements Wire {
    static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

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
        return new ProtoList<>(new ObjectReader<>(objectSchema, new WireListenerAdapter<>(kind, to)));
    }

    @Override
    public WireDecoder watch(ObjectKey.Kind kind, WireListener to) {
        return watch(kind, ObjectSchema.of(kind), to);
    }

    private static <T extends ApiObject> WireDecoder watch(
            ObjectKey.Kind kind, ObjectSchema<T> objectSchema, WireListener to) {
        return new ProtoWatch<>(new ObjectReader<>(objectSchema, new WireListenerAdapter<>(kind, to)));
    }

    /** A server without support for the encoding responds in JSON. */
    @Override
    public ApiStatus status(int code, byte[] body) {
        return ProtoStatus.whole(body)
                .or(() -> JsonStatus.whole(body))
                .map(status -> status.withCode(code))
                .orElseGet(() -> ApiStatus.of(code));
    }
}
