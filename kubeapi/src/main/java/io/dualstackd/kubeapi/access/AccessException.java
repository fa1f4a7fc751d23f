package io.dualstackd.kubeapi.access;

/** How to reach the API server, or who we are, cannot be made out. The message says where that is written, what is there, and the rule. */
public final class AccessException extends Exception {
    private static final long serialVersionUID = 1;

    public AccessException(String message) {
        super(message);
    }
}
