package io.dualstackd.kubeapi.access;

/**
 * A client certificate and its key.
 *
 * @param chain certificates in PEM, the client's own first
 * @param key private key in PEM; secret, not included in the text form
 */
public record ClientCertificate(String chain, String key) {
    @Override
    public String toString() {
        return "client certificate";
    }
}
