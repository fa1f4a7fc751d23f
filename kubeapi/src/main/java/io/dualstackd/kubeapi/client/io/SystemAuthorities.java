package io.dualstackd.kubeapi.client.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The certificate authorities that this system trusts, for a server without configured ones: as with {@code kubectl}, those that the
 * administrator added to the system count. The JVM's list, which only its vendor changes, is not used.
 */
final class SystemAuthorities {
    /** The variable that names another list, as for OpenSSL and programs written in Go. */
    static final String VARIABLE = "SSL_CERT_FILE";

    /** The files with all authorities in PEM, by distribution. The first one that contains any is used. */
    private static final List<Path> LISTS = List.of(
            // Debian, Ubuntu, Alpine, Arch
            Path.of("/etc/ssl/certs/ca-certificates.crt"),
            // Fedora, RHEL
            Path.of("/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"),
            Path.of("/etc/pki/tls/certs/ca-bundle.crt"),
            // SUSE
            Path.of("/var/lib/ca-certificates/ca-bundle.pem"),
            Path.of("/etc/ssl/ca-bundle.pem"));

    private final List<Path> lists;

    /** @param lists files to search, in this order */
    SystemAuthorities(List<Path> lists) {
        this.lists = lists;
    }

    static SystemAuthorities of(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        return new SystemAuthorities(named.isEmpty() ? LISTS : List.of(Path.of(named)));
    }

    /** @throws IOException if no list contains any; the message gives the files searched and the remedy */
    X509Certificate[] certificates() throws IOException {
        List<String> why = new ArrayList<>();
        for (Path list : lists) {
            try {
                // PEM is ASCII; the text between the certificates may be anything.
                X509Certificate[] found = in(Files.readString(list, StandardCharsets.ISO_8859_1));
                if (found.length > 0) {
                    return found;
                }
                why.add(list + " holds none");
            } catch (NoSuchFileException e) {
                why.add("there is no " + list);
            } catch (AccessDeniedException e) {
                why.add(list + " may not be read");
            } catch (IOException e) {
                why.add(list + " cannot be read: " + e.getMessage());
            }
        }
        throw new IOException("no certificate authority is named for the server, and the system has no list of them ("
                + String.join(", ", why) + "): name one as certificate-authority in the kubeconfig, or a list in "
                + VARIABLE);
    }

    /** A certificate of a kind that the JVM does not support is skipped and does not affect the others. */
    private static X509Certificate[] in(String list) throws IOException {
        try {
            return PemCertificates.in(list).readable().toArray(X509Certificate[]::new);
        } catch (CertificateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
