package io.dualstackd.kubeapi.access.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A token that is replaced from time to time, as the kubelet does with the tokens of pods. The file is read again after a minute, and at
 * once when the server rejected the token. While the file cannot be read, the previous token is used.
 */
final class TokenFile implements UserCredentials.Header {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final long LARGEST = 1 << 20;

    private final Path path;
    private final InstantSource clock;
    private Optional<String> token;
    private Instant readAt = Instant.MIN;

    /** @param until token that is used while there is none in the file */
    TokenFile(Path path, Optional<String> until, InstantSource clock) {
        this.path = path;
        this.token = until;
        this.clock = clock;
    }

    @Override
    public synchronized Optional<String> authorization() throws IOException {
        Instant now = clock.instant();
        // When the clock was set back, the time since is not known.
        if (readAt.equals(Instant.MIN) || now.isBefore(readAt) || now.isAfter(readAt.plus(KEPT))) {
            try {
                token = Optional.of(read());
                readAt = now;
            } catch (IOException e) {
                if (token.isEmpty()) {
                    throw e;
                }
                // The file is not read again for each request.
                readAt = now;
                LOG.warn("token cannot be reread, the previous one stays in use error=\"{}\"", e.getMessage());
            }
        }
        return token.map(text -> "Bearer " + text);
    }

    private String read() throws IOException {
        byte[] bytes;
        try {
            if (Files.size(path) > LARGEST) {
                throw new IOException("token file " + path + ": has more than " + LARGEST + " bytes");
            }
            bytes = Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            throw new IOException("token file " + path + ": there is no such file", e);
        }
        String text = new String(bytes, StandardCharsets.UTF_8).strip();
        if (text.isEmpty()) {
            throw new IOException("token file " + path + ": is empty");
        }
        if (text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IOException("token file " + path + ": must be one token on one line");
        }
        return text;
    }

    @Override
    public synchronized void refused() {
        readAt = Instant.MIN;
    }
}
