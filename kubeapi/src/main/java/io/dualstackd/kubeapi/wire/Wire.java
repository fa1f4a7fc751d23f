package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.objects.ObjectKey;

/** An encoding of the Kubernetes API. Stateless. */
public interface Wire {
    /** For the header {@code Accept} of a question with one answer: {@code application/json}. */
    String mediaType();

    /** For the header {@code Accept} of a watch: {@code application/json;stream=watch}. */
    String watchMediaType();

    /** For the body of one answer that is a list of this kind. */
    WireDecoder list(ObjectKey.Kind kind, WireListener to);

    /** For the body of one answer that is a watch of this kind. */
    WireDecoder watch(ObjectKey.Kind kind, WireListener to);

    /**
     * Reads the body of an answer that is an error.
     *
     * @param code HTTP's status of the answer; stays when the body is no {@code Status} at all (a proxy's page)
     */
    ApiStatus status(int code, byte[] body);
}
