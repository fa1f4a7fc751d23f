package io.dualstackd.kubeapi.client.io;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The certificates of a text in PEM. As for {@code kubectl}, whatever else is in the text does not count: remarks, and blocks of other kinds,
 * such as the private key that kubelet keeps in the same file.
 *
 * @param readable in the order of the text
 * @param unreadable why the first one that cannot be parsed cannot; empty when there is none
 */
record PemCertificates(List<X509Certificate> readable, Optional<CertificateException> unreadable) {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");

    PemCertificates {
        readable = List.copyOf(readable);
    }

    /** @throws CertificateException if this system has no X.509 */
    static PemCertificates in(String text) throws CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> readable = new ArrayList<>();
        Optional<CertificateException> unreadable = Optional.empty();
        for (MatchResult block : BLOCK.matcher(text).results().toList()) {
            // PEM is ASCII.
            byte[] ascii = block.group().getBytes(StandardCharsets.ISO_8859_1);
            try {
                readable.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(ascii)));
            } catch (CertificateException e) {
                unreadable = unreadable.or(() -> Optional.of(e));
            }
        }
        return new PemCertificates(readable, unreadable);
    }
}
