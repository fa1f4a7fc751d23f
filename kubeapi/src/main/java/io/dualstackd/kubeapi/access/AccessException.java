package io.dualstackd.kubeapi.access;

/**
 * Thrown when the API server's address or the credentials cannot be determined. The message names the source, the value found there and the
 * rule.
 */
public final class AccessException extends Exception {
    private static final long serialVersionUID = 1;

    public AccessException(String message) {
        super(message);
    }
}
