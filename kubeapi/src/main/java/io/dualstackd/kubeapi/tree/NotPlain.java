package io.dualstackd.kubeapi.tree;

/** The text is not supported by the fast reader; has no stack trace, because it does not indicate a mistake. */
final class NotPlain extends Exception {
    private static final long serialVersionUID = 1;

    NotPlain() {
        super("not plain", null, false, false);
    }
}
