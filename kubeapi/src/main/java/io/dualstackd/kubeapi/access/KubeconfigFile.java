package io.dualstackd.kubeapi.access;

/**
 * A kubeconfig that was read.
 *
 * @param path absolute; paths inside are relative to its folder
 * @param text YAML or JSON; may hold secrets, so no part of the text form
 */
public record KubeconfigFile(String path, String text) {
    /** A path inside of the file, made absolute. */
    String resolve(String inside) {
        return inside.startsWith("/") ? inside : path.substring(0, path.lastIndexOf('/') + 1) + inside;
    }

    @Override
    public String toString() {
        return path;
    }
}
