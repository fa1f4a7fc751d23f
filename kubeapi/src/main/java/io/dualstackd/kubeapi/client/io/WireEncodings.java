package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.WireFormat;
import io.dualstackd.kubeapi.wire.Wire;
import java.util.Optional;

/** The encodings we can read. */
record WireEncodings(Wire protobuf, Wire json) {

    /** For the header {@code Accept}. JSON stands behind protobuf, so that a server without it need not refuse first. */
    String accept(WireFormat format) {
        return switch (format) {
            case PROTOBUF -> protobuf.mediaType() + ", " + json.mediaType();
            case JSON -> json.mediaType();
        };
    }

    /** How an answer is written, by its {@code Content-Type}. */
    Optional<Wire> of(String contentType) {
        int parameters = contentType.indexOf(';');
        String type = (parameters < 0 ? contentType : contentType.substring(0, parameters)).strip();
        if (type.equalsIgnoreCase(protobuf.mediaType())) {
            return Optional.of(protobuf);
        }
        return type.equalsIgnoreCase(json.mediaType()) ? Optional.of(json) : Optional.empty();
    }
}
