package io.dualstackd.kubeapi.access;

import java.util.Optional;

/** The credentials of a user, apart from a certificate. Secrets are not included in the text forms. */
public sealed interface Identity {
    /** No authentication. */
    record Anonymous() implements Identity {}

    /** {@code token}. */
    record Token(String token) implements Identity {
        @Override
        public String toString() {
            return "token";
        }
    }

    /**
     * {@code tokenFile}, which is replaced from time to time.
     *
     * @param until {@code token}: used as long as the file cannot be read
     */
    record TokenFile(String path, Optional<String> until) implements Identity {
        @Override
        public String toString() {
            return "token file " + path;
        }
    }

    /** {@code username} and {@code password}. */
    record Password(String name, String password) implements Identity {
        @Override
        public String toString() {
            return "user " + name;
        }
    }

    /** {@code exec}: a program that returns credentials. */
    record Exec(ExecConfig config) implements Identity {
        @Override
        public String toString() {
            return "exec plugin " + config.command();
        }
    }
}
