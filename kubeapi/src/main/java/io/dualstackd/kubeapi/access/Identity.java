package io.dualstackd.kubeapi.access;

import java.util.Optional;

/** How a user says who he is, apart from a certificate. Secrets are no part of the text forms. */
public sealed interface Identity {
    /** Not at all. */
    record Nobody() implements Identity {}

    /** {@code token}. */
    record Token(String token) implements Identity {
        @Override
        public String toString() {
            return "token";
        }
    }

    /**
     * {@code tokenFile}, replaced from time to time.
     *
     * @param until {@code token}: holds as long as the file cannot be read
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

    /** {@code exec}: a program that knows. */
    record Exec(ExecConfig config) implements Identity {
        @Override
        public String toString() {
            return "exec plugin " + config.command();
        }
    }
}
