package io.dualstackd.agent.cluster.wire;

/** An answer of the API server is not what it says it is. The message says where and what was expected. */
public final class WireException extends Exception {
    public WireException(String message) {
        super(message);
    }
}
