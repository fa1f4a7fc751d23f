package io.dualstackd.kubeapi.access.io;

import io.dualstackd.kubeapi.access.ClientCertificate;
import java.io.IOException;
import java.util.Optional;

/**
 * Credentials for the API server, and the authorities that its certificate is verified against. Thread-safe; calls may read files and may
 * take seconds, so they must not be made on an event loop.
 */
public interface Credentials {
    /** No credentials. */
    Credentials NONE = new Credentials() {
        @Override
        public Optional<String> authorization() {
            return Optional.empty();
        }

        @Override
        public Optional<ClientCertificate> certificate() {
            return Optional.empty();
        }

        @Override
        public void refused() {}
    };

    /**
     * Returns the newest value of the header {@code Authorization} for a request made now: {@code Bearer …}.
     *
     * @throws IOException if the value is required but not available; the message gives the reason
     */
    Optional<String> authorization() throws IOException;

    /**
     * Returns the client certificate for a connection made now.
     *
     * @throws IOException if the certificate is required but not available; the message gives the reason
     */
    Optional<ClientCertificate> certificate() throws IOException;

    /** Returns the newest certificates that may have signed the server's, in PEM, when they come from a file. Empty: as given at the start. */
    default Optional<String> authorities() {
        return Optional.empty();
    }

    /** The server answered 401 to the last credentials: cached ones must not be returned again. */
    void refused();
}
