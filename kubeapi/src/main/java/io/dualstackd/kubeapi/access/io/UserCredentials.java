package io.dualstackd.kubeapi.access.io;

import io.dualstackd.kubeapi.access.ClientCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Credentials of a kubeconfig's user: the header {@code Authorization}, and a certificate from files, from a plugin, or none. */
final class UserCredentials implements Credentials {
    private final Header header;
    private final Optional<CertificateFiles> files;
    private final Optional<AuthorityFile> authorities;

    /** The source of the header {@code Authorization}. Thread-safe. */
    interface Header {
        /** No header. */
        Header NONE = Optional::empty;

        Optional<String> authorization() throws IOException;

        /** Returns a certificate from the same source. */
        default Optional<ClientCertificate> certificate() throws IOException {
            return Optional.empty();
        }

        /** As {@link Credentials#refused}. */
        default void refused() {}

        static Header fixed(String value) {
            return () -> Optional.of(value);
        }

        static Header basic(String name, String password) {
            byte[] both = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
            return fixed("Basic " + Base64.getEncoder().encodeToString(both));
        }
    }

    UserCredentials(Header header, Optional<CertificateFiles> files, Optional<AuthorityFile> authorities) {
        this.header = header;
        this.files = files;
        this.authorities = authorities;
    }

    @Override
    public Optional<String> authorization() throws IOException {
        return header.authorization();
    }

    @Override
    public Optional<ClientCertificate> certificate() throws IOException {
        return files.isPresent() ? Optional.of(files.get().read()) : header.certificate();
    }

    @Override
    public void refused() {
        header.refused();
    }

    @Override
    public Optional<String> authorities() {
        return authorities.map(AuthorityFile::read);
    }
}
