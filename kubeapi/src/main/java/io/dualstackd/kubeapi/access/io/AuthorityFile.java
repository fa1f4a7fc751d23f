package io.dualstackd.kubeapi.access.io;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates that may have signed the server's, read from a file. Each call checks the file and reads it again when it has changed: a
 * cluster gets a new authority long before the old one is withdrawn. While the file cannot be read, the last content is used.
 */
final class AuthorityFile {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private final Path path;
    private final String what;
    private String last;
    private @Nullable FileStamp stamp;
    private String reported = "";

    /**
     * @param what name of the content, for messages
     * @throws IOException if it cannot be read; the message gives the file and the reason
     */
    AuthorityFile(Path path, String what) throws IOException {
        this.path = path;
        this.what = what;
        // Without a stamp the first read() reads it again, also when it was replaced just now.
        this.last = PemFile.read(path, what);
    }

    /** The certificates, in PEM. */
    synchronized String read() {
        try {
            FileStamp now = FileStamp.of(path);
            if (now.equals(stamp)) {
                return last;
            }
            String text = PemFile.read(path, what);
            if (!text.equals(last)) {
                LOG.info("certificate authority was replaced, read again file={}", path);
            }
            last = text;
            stamp = now;
            reported = "";
        } catch (IOException e) {
            String problem = e instanceof NoSuchFileException
                    ? what + " " + path + ": there is no such file"
                    : String.valueOf(e.getMessage());
            if (!problem.equals(reported)) {
                LOG.warn("certificate authority cannot be reread, the previous one stays in use error=\"{}\"", problem);
                reported = problem;
            }
        }
        return last;
    }
}
