package io.dualstackd.kubeapi.access;

/**
 * Who we are, by certificate.
 *
 * @param chain certificates in PEM, ours first
 * @param key private key in PEM; secret, so no part of the text form
 */
public record ClientCertificate(String chain, String key) {
    @Override
    public String toString() {
        return "client certificate";
    }
}
