package io.dualstackd.kubeapi.access;

/**
 * The content of a kubeconfig file.
 *
 * @param path absolute; paths in the file are relative to its folder
 * @param text YAML or JSON; may hold secrets, not included in the text form
 */
public record KubeconfigFile(String path, String text) {
    /** Makes a path from the file absolute. */
    String resolve(String inside) {
        return inside.startsWith("/") ? inside : path.substring(0, path.lastIndexOf('/') + 1) + inside;
    }

    @Override
    public String toString() {
        return path;
    }
}
