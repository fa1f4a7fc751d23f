package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.Optional;

/** An encoding of the Kubernetes API. */
public enum WireFormat {
    /** Less than half of the bytes and the processing time of JSON. */
    PROTOBUF("application/vnd.kubernetes.protobuf"),
    /** Every server and every intermediary supports it. */
    JSON("application/json");

    private final String mediaType;

    WireFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** As in {@code Content-Type}. */
    public String mediaType() {
        return mediaType;
    }

    /** The header {@code Accept}. JSON follows protobuf, so that a server without protobuf need not refuse first. */
    public String accept() {
        return switch (this) {
            case PROTOBUF -> mediaType + ", " + JSON.mediaType;
            case JSON -> mediaType;
        };
    }

    /** Returns the encoding of a response. */
    public static Optional<WireFormat> of(String contentType) {
        int parameters = contentType.indexOf(';');
        String type = (parameters < 0 ? contentType : contentType.substring(0, parameters)).strip();
        for (WireFormat format : values()) {
            if (type.equalsIgnoreCase(format.mediaType)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /** Returns a decoder for one response that is a list of this kind. */
    public WireDecoder list(ObjectKey.Kind kind, WireListener to) {
        ObjectReader objects = new ObjectReader(kind, to);
        return switch (this) {
            case PROTOBUF -> new ProtoList(objects);
            case JSON -> new JsonList(kind.toString(), tree -> objects.json(ObjectReader.Verb.PUT, tree), to::listed);
        };
    }

    /** Returns a decoder for one response that is a watch of this kind. */
    public WireDecoder watch(ObjectKey.Kind kind, WireListener to) {
        ObjectReader objects = new ObjectReader(kind, to);
        return switch (this) {
            case PROTOBUF -> new ProtoWatch(objects);
            case JSON -> new JsonWatch(objects);
        };
    }

    /**
     * Reads the body of an error response. A server without support for protobuf responds in JSON.
     *
     * @param code HTTP status code of the response; used when the body is not a {@code Status} (a proxy's page)
     */
    public ApiStatus status(int code, byte[] body) {
        Optional<ApiStatus> status = switch (this) {
            case PROTOBUF -> ApiStatus.inProtobuf(body).or(() -> ApiStatus.inJson(body));
            case JSON -> ApiStatus.inJson(body);
        };
        return status.map(parsed -> parsed.withCode(code)).orElseGet(() -> ApiStatus.of(code));
    }

    /** The media type. */
    @Override
    public String toString() {
        return mediaType;
    }
}
