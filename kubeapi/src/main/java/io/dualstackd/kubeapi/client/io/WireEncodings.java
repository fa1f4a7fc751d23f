package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.wire.Wire;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.util.Optional;

/** The supported encodings. */
record WireEncodings(Wire protobuf, Wire json) {

    /** Returns the header {@code Accept}. JSON follows protobuf, so that a server without protobuf need not refuse first. */
    String accept(WireFormat format) {
        return switch (format) {
            case PROTOBUF -> protobuf.mediaType() + ", " + json.mediaType();
            case JSON -> json.mediaType();
        };
    }

    /** Returns the encoding of a response, from its {@code Content-Type}. */
    Optional<Wire> of(String contentType) {
        int parameters = contentType.indexOf(';');
        String type = (parameters < 0 ? contentType : contentType.substring(0, parameters)).strip();
        if (type.equalsIgnoreCase(protobuf.mediaType())) {
            return Optional.of(protobuf);
        }
        return type.equalsIgnoreCase(json.mediaType()) ? Optional.of(json) : Optional.empty();
    }
}
