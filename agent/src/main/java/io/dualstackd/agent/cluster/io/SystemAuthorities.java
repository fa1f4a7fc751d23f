package io.dualstackd.agent.cluster.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The certificate authorities this system trusts, for a server whose own are not named: as with {@code kubectl}, what the administrator
 * added to the system counts. The JVM's list, which only its vendor changes, is not asked.
 */
final class SystemAuthorities {
    /** Names another bundle, as for OpenSSL and programs written in Go. */
    static final String VARIABLE = "SSL_CERT_FILE";

    /** One file with all of them, in PEM, where distributions have it. */
    private static final List<Path> BUNDLES = List.of(
            // Debian, Ubuntu, Alpine, Arch
            Path.of("/etc/ssl/certs/ca-certificates.crt"),
            // Fedora, RHEL
            Path.of("/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"),
            Path.of("/etc/pki/tls/certs/ca-bundle.crt"),
            // SUSE
            Path.of("/var/lib/ca-certificates/ca-bundle.pem"),
            Path.of("/etc/ssl/ca-bundle.pem"));

    private final List<Path> bundles;

    private SystemAuthorities(List<Path> bundles) {
        this.bundles = bundles;
    }

    static SystemAuthorities of(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        return new SystemAuthorities(named.isEmpty() ? BUNDLES : List.of(Path.of(named)));
    }

    /**
     * Certificates in PEM.
     *
     * @throws IOException when there is no bundle, or it cannot be read; the message says what to do
     */
    String pem() throws IOException {
        for (Path bundle : bundles) {
            if (Files.exists(bundle)) {
                // PEM is ASCII; what stands between the certificates may be anything.
                return Files.readString(bundle, StandardCharsets.ISO_8859_1);
            }
        }
        throw new IOException("no certificate authority is named for the server, and this system has no list of them ("
                + String.join(", ", bundles.stream().map(Path::toString).toList())
                + "): name one as certificate-authority in the kubeconfig, or install ca-certificates");
    }
}
