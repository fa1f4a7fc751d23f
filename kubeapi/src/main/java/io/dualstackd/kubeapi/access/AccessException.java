package io.dualstackd.kubeapi.access;

/**
 * Thrown when the API server's address or the credentials cannot be determined. The message names the source, the value found there and the
 * rule.
 */
public final class AccessException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean named;

    /** For a source that is missing or cannot be used. */
    public AccessException(String message) {
        this(message, true);
    }

    private AccessException(String message, boolean named) {
        super(message);
        this.named = named;
    }

    /** For a configuration that names no source. */
    static AccessException unnamed(String message) {
        return new AccessException(message, false);
    }

    /** Whether the configuration names a source, which may appear later. */
    public boolean isNamed() {
        return named;
    }
}
