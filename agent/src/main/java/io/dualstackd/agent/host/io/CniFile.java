package io.dualstackd.agent.host.io;

import io.dualstackd.pods.CniList;
import io.dualstackd.pods.PodCidrs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The CNI configuration that the daemon writes for the container runtime of a lone node. */
public final class CniFile {
    private static final Logger LOG = LoggerFactory.getLogger("pods");

    private final Path path;

    public CniFile(Path path) {
        this.path = path;
    }

    /**
     * Checks, without changing anything, that the file may be written. One that cannot be read now is a failure of {@link #write}.
     *
     * @throws FileAlreadyExistsException when there is one that the daemon did not write; the message is for the user
     */
    public void requireOurs() throws FileAlreadyExistsException {
        Optional<String> present;
        try {
            present = read();
        } catch (IOException e) {
            LOG.debug("not known whose it is", e);
            return;
        }
        requireOurs(present);
    }

    private void requireOurs(Optional<String> present) throws FileAlreadyExistsException {
        if (present.isPresent() && !CniList.isOurs(present.get())) {
            throw new FileAlreadyExistsException(
                    path.toString(),
                    null,
                    "--write-cni: dualstackd did not write this file and does not overwrite it; choose another name,"
                            + " or move it away");
        }
    }

    /**
     * Writes the file in one step, unless it has this content already.
     *
     * @throws IOException as {@link #requireOurs}, and when it cannot be read or written
     */
    public void write(PodCidrs cidrs) throws IOException {
        Optional<String> present = read();
        requireOurs(present);
        String text = CniList.text(cidrs);
        if (present.equals(Optional.of(text))) {
            return;
        }
        try {
            replace(text);
        } catch (IOException e) {
            throw failure("written", e);
        }
        LOG.info("CNI configuration written file={} pod-cidrs={}", path, cidrs);
    }

    /** Whether there is no such file. */
    boolean isGone() {
        return Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** What happened to the file, for the status; empty while it is as it was written, or gone. */
    Optional<String> note(PodCidrs cidrs) {
        try {
            Optional<String> present = read();
            return present.isEmpty() || present.get().equals(CniList.text(cidrs))
                    ? Optional.empty()
                    : Optional.of("--write-cni: " + path + " is no longer what dualstackd wrote");
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void replace(String text) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        // In the same folder, where a runtime notices the new name, and with a name that none reads.
        Path temporary = path.resolveSibling("." + path.getFileName() + ".new");
        try {
            Files.deleteIfExists(temporary);
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private Optional<String> read() throws IOException {
        try {
            return Optional.of(Files.readString(path, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw failure("read", e);
        }
    }

    private IOException failure(String what, IOException e) {
        String reason = FileErrors.reason(e);
        return new IOException(
                "--write-cni: " + path + " cannot be " + what + ": " + reason
                        + (reason.contains("Read-only file system")
                                ? "; the packaged systemd unit lets the daemon write to /etc/cni/net.d, if that folder"
                                        + " is there when it starts"
                                : ""),
                e);
    }
}
