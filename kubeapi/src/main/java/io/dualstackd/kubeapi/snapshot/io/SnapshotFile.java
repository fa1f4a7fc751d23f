package io.dualstackd.kubeapi.snapshot.io;

import io.dualstackd.kubeapi.snapshot.SnapshotReader;
import io.dualstackd.kubeapi.snapshot.SnapshotWriter;
import io.dualstackd.netlink.sys.PrivateFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the snapshot of the server's objects: {@code cluster.snapshot} in the state directory. It is written when a process shuts down
 * cleanly, and deleted by the next one, which reads it: an object that it cannot use is not met twice.
 *
 * <p>It only saves time, so an error is logged and otherwise ignored. It is moved into its place but not forced to disk: after a crash of
 * the machine it is not used.
 */
public final class SnapshotFile {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");
    private static final String NAME = "cluster.snapshot";

    /**
     * The longest time between the last contact of the former process with the server, and the next process. API servers keep the history of
     * about this time, so an older file would mostly be refused; and in a longer time a server whose data was restored may pass the version of
     * the file, which then would not be noticed.
     */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** What separates a jar from the name of one of its entries ({@link java.net.JarURLConnection}). */
    private static final String IN_JAR = "!/";

    private final Path file;
    private final String origin;
    /** The time of the file that was taken, when the former process had its last contact with the server. */
    private Optional<Instant> taken = Optional.empty();

    private SnapshotFile(Path file, String origin) {
        this.file = file;
        this.origin = origin;
    }

    /**
     * The file in a state directory.
     *
     * @param origin what the objects depend on, apart from this program and the requests that select them
     * @throws IOException when this program cannot be told from another version of it
     */
    public static SnapshotFile in(Path state, String origin) throws IOException {
        return new SnapshotFile(state.resolve(NAME), origin + " program=" + program());
    }

    /**
     * A checksum of the code that makes objects of answers: another version may read the same answer differently. The code is found as a
     * resource: the virtual machine knows no place of classes from an archive that was made in another folder.
     */
    private static String program() throws IOException {
        URL own = SnapshotFile.class.getResource(SnapshotFile.class.getSimpleName() + ".class");
        if (own == null) {
            throw new FileNotFoundException("the program's own code is not on its class path");
        }
        if (!own.getProtocol().equals("jar")) {
            return "development";
        }
        String jar = own.getPath().substring(0, own.getPath().indexOf(IN_JAR));
        CRC32C sum = new CRC32C();
        sum.update(Files.readAllBytes(Path.of(URI.create(jar))));
        return Long.toHexString(sum.getValue());
    }

    /** Removes the file of a node that is to have no rules any more. */
    public static void remove(Path state) throws IOException {
        var _ = Files.deleteIfExists(state.resolve(NAME));
    }

    /** Opens and deletes the file; empty when there is none, or it is damaged, older than ten minutes, or of another origin. */
    public Optional<SnapshotReader> take() {
        try (InputStream all = Files.newInputStream(file)) {
            Instant contact = Files.getLastModifiedTime(file).toInstant();
            taken = Optional.of(contact);
            Duration age = Duration.between(contact, Instant.now());
            InputStream again = Files.newInputStream(file);
            try {
                Files.delete(file);
                if (age.abs().compareTo(LONGEST) > 0) {
                    notUsed("the last contact with the server was at " + contact);
                    again.close();
                    return Optional.empty();
                }
                SnapshotReader.check(all);
                Optional<SnapshotReader> reader = SnapshotReader.open(again, origin);
                if (reader.isEmpty()) {
                    notUsed("another boot, cluster or version");
                }
                return reader;
            } catch (IOException | RuntimeException e) {
                again.close();
                throw e;
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            notUsed(e.toString());
            return Optional.empty();
        }
    }

    private void notUsed(String reason) {
        LOG.info("saved objects are not used file={} reason=\"{}\" next=\"read everything\"", file, reason);
    }

    /** What a process writes. */
    public interface Content {
        void writeTo(SnapshotWriter writer) throws IOException;
    }

    /**
     * Writes the file. Its time is that of the last contact with the server.
     *
     * @param ago how long ago that was; empty when this process had none, and passes on the file that it took
     */
    public void write(Optional<Duration> ago, Content content) {
        Instant now = Instant.now();
        Instant contact = ago.map(now::minus).or(() -> taken).orElse(now);
        try {
            PrivateFile.replace(file, out -> {
                try (SnapshotWriter writer = new SnapshotWriter(out, origin)) {
                    content.writeTo(writer);
                }
            });
            var _ = Files.setLastModifiedTime(file, FileTime.from(contact));
        } catch (IOException e) {
            LOG.warn(
                    "objects cannot be saved file={} reason=\"{}\" next=\"the next start reads everything\"",
                    file,
                    e.toString());
        }
    }
}
