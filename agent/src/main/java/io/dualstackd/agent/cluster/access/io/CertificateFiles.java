package io.dualstackd.agent.cluster.access.io;

import io.dualstackd.agent.cluster.access.ClientCertificate;
import io.dualstackd.agent.cluster.access.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client certificate and its key. Files are looked at for each connection and read again when they changed: the kubelet replaces its own
 * long before they expire. While they cannot be read, what was read before holds.
 */
final class CertificateFiles {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    /** What tells one content of a file from the next. */
    private record Stamp(FileTime modified, long size, Object identity) {}

    private final Pem certificate;
    private final Pem key;
    private @Nullable ClientCertificate last;
    private @Nullable Stamp certificateStamp;
    private @Nullable Stamp keyStamp;

    CertificateFiles(Pem certificate, Pem key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** @throws IOException when they never could be read */
    synchronized ClientCertificate read() throws IOException {
        ClientCertificate before = last;
        try {
            Stamp chainNow = stamp(certificate);
            Stamp keyNow = stamp(key);
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
            LOG.warn(
                    "client certificate cannot be read again, the one from before is used error=\"{}\"",
                    e.getMessage());
            return before;
        }
    }

    private static @Nullable Stamp stamp(Pem pem) throws IOException {
        return switch (pem) {
            case Pem.None() -> null;
            case Pem.Text text -> null;
            case Pem.File(String path) -> {
                try {
                    BasicFileAttributes file = Files.readAttributes(Path.of(path), BasicFileAttributes.class);
                    yield new Stamp(file.lastModifiedTime(), file.size(), String.valueOf(file.fileKey()));
                } catch (IOException e) {
                    // Reading it will say so in better words.
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
