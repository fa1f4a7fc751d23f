package io.dualstackd.kubeapi.access;

import java.util.Optional;

/**
 * The values of a kubeconfig's selected context.
 *
 * @param server address of the API server
 * @param authorities certificates that may have signed the server's; none: those that the system trusts
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
