package io.dualstackd.kubeapi.tree;

/** Thrown when the fast reader does not support a text; without a stack trace, because it is not an error. */
final class NotPlain extends Exception {
    private static final long serialVersionUID = 1;

    NotPlain() {
        super("not plain", null, false, false);
    }
}
