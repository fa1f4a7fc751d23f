package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ObjectKey;

/** An encoding of the Kubernetes API. Stateless. */
public interface Wire {
    /** The value of {@code Accept} for a request with a single response: {@code application/json}. */
    String mediaType();

    /** The value of {@code Accept} for a watch: {@code application/json;stream=watch}. */
    String watchMediaType();

    /** Returns a decoder for one response that is a list of this kind. */
    WireDecoder list(ObjectKey.Kind kind, WireListener to);

    /** Returns a decoder for one response that is a watch of this kind. */
    WireDecoder watch(ObjectKey.Kind kind, WireListener to);

    /**
     * Reads the body of an error response.
     *
     * @param code HTTP status code of the response; used when the body is not a {@code Status} (a proxy's page)
     */
    ApiStatus status(int code, byte[] body);
}
