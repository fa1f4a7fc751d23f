package io.dualstackd.kubeapi.access;

/** Where certificates or a key are to be had. */
public sealed interface Pem {
    /** Nowhere. */
    record None() implements Pem {}

    /** Written in the kubeconfig; may be secret, so no part of the text form. */
    record Text(String text) implements Pem {
        @Override
        public String toString() {
            return "data in the kubeconfig";
        }
    }

    /** In a file, which may be replaced while we run. */
    record File(String path) implements Pem {
        @Override
        public String toString() {
            return path;
        }
    }
}
