package io.dualstackd.kubeapi.access.io;

import io.dualstackd.kubeapi.access.ClientCertificate;
import java.io.IOException;
import java.util.Optional;

/** Who we are, for the API server, and who it may be for us. Thread-safe; questions may read files and may take seconds, so never ask on an event loop. */
public interface Credentials {
    /** Nobody in particular. */
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
     * The header {@code Authorization} for a request that is made now: {@code Bearer …}. The newest there is.
     *
     * @throws IOException when there should be one and it cannot be had; the message says why
     */
    Optional<String> authorization() throws IOException;

    /**
     * For a connection that is made now.
     *
     * @throws IOException when there should be one and it cannot be had; the message says why
     */
    Optional<ClientCertificate> certificate() throws IOException;

    /**
     * Who may have signed the server's certificate, in PEM, when a file says so: the newest there is. Empty: as it was said at the start.
     */
    default Optional<String> authorities() {
        return Optional.empty();
    }

    /** The server answered 401 to what was given last: nothing remembered may be given again. */
    void refused();
}
