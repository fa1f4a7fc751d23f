package io.dualstackd.kubeapi.wire;

/** How objects are encoded. */
public enum WireFormat {
    PROTOBUF("application/vnd.kubernetes.protobuf"),
    JSON("application/json");

    private final String mediaType;

    WireFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** As in {@code Accept} and {@code Content-Type}. */
    public String mediaType() {
        return mediaType;
    }

    /** The media type. */
    @Override
    public String toString() {
        return mediaType;
    }
}
