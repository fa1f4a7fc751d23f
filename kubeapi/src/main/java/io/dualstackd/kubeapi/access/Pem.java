package io.dualstackd.kubeapi.access;

/** The source of certificates or a key in PEM. */
public sealed interface Pem {
    /** No source. */
    record None() implements Pem {}

    /** Inline in the kubeconfig; may be secret, not included in the text form. */
    record Text(String text) implements Pem {
        @Override
        public String toString() {
            return "data in the kubeconfig";
        }
    }

    /** In a file, which may be replaced while the daemon runs. */
    record File(String path) implements Pem {
        @Override
        public String toString() {
            return path;
        }
    }
}
