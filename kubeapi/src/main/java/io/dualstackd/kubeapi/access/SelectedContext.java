package io.dualstackd.kubeapi.access;

import java.util.Optional;

/**
 * What a kubeconfig says in the context that counts.
 *
 * @param server where the API server is
 * @param authorities who may have signed the server's certificate; none: whom the system trusts
 * @param serverName {@code tls-server-name}
 * @param insecure {@code insecure-skip-tls-verify}
 * @param proxy {@code proxy-url}
 * @param certificate of the user
 * @param key of the certificate
 */
public record SelectedContext(
        ServerUrl server,
        Pem authorities,
        Optional<String> serverName,
        boolean insecure,
        Optional<String> proxy,
        Identity identity,
        Pem certificate,
        Pem key) {}
