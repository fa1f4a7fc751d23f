package io.dualstackd.kubeapi.access.io;

import io.dualstackd.kubeapi.access.ClientCertificate;
import io.dualstackd.kubeapi.access.Pem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client certificate and its key, read from files. The files are checked for each connection and read again when they have changed: the
 * kubelet replaces its own long before they expire. While they cannot be read, the last content is used.
 */
final class CertificateFiles {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private final Pem certificate;
    private final Pem key;
    private @Nullable ClientCertificate last;
    private @Nullable FileStamp certificateStamp;
    private @Nullable FileStamp keyStamp;

    CertificateFiles(Pem certificate, Pem key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** @throws IOException if they have never been readable */
    synchronized ClientCertificate read() throws IOException {
        ClientCertificate before = last;
        try {
            FileStamp chainNow = stamp(certificate);
            FileStamp keyNow = stamp(key);
            if (before != null && Objects.equals(chainNow, certificateStamp) && Objects.equals(keyNow, keyStamp)) {
                return before;
            }
            ClientCertificate now =
                    new ClientCertificate(text(certificate, "client-certificate"), text(key, "client-key"));
            last = now;
            certificateStamp = chainNow;
            keyStamp = keyNow;
            if (before != null) {
                LOG.info("client certificate was replaced, read again file={}", certificate);
            }
            return now;
        } catch (IOException e) {
            if (before == null) {
                throw e;
            }
            LOG.warn("client certificate cannot be reread, the previous one stays in use error=\"{}\"", e.getMessage());
            return before;
        }
    }

    private static @Nullable FileStamp stamp(Pem pem) throws IOException {
        return switch (pem) {
            case Pem.None() -> null;
            case Pem.Text text -> null;
            case Pem.File(String path) -> {
                try {
                    yield FileStamp.of(Path.of(path));
                } catch (IOException e) {
                    // Reading it gives a better message.
                    yield null;
                }
            }
        };
    }

    private static String text(Pem pem, String what) throws IOException {
        return switch (pem) {
            case Pem.None() -> "";
            case Pem.Text(String text) -> text;
            case Pem.File(String path) -> PemFile.read(Path.of(path), what);
        };
    }
}
