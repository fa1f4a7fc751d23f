package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one file; every failure is reported as a problem of that file. */
final class ManifestFile {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");

    /** The result of reading. */
    sealed interface Reading {
        /** The content, or why it cannot be read. */
        record Done(FileIdentity fileIdentity, Decoded decoded) implements Reading {
            boolean isGood() {
                return decoded.problems().stream().noneMatch(Problem::isError);
            }
        }

        /** The file is being written right now; try again. */
        record Moving() implements Reading {}

        /** The file is not there, or is not a file. */
        record Absent() implements Reading {}
    }

    /** The identity of a file that could not be read: the reason may go without a change of the file, so each scan of all reads it again. */
    static final FileIdentity UNKNOWN = new FileIdentity("", -1, FileTime.fromMillis(0), FileTime.fromMillis(0), true);

    private static final int PIECE = 8 * 1024;

    private final Path file;
    private final Dialect dialect;
    private final String name;

    ManifestFile(Path file, Dialect dialect) {
        this.file = file;
        this.dialect = dialect;
        this.name = String.valueOf(file.getFileName());
    }

    Reading read() {
        try {
            FileIdentity before = FileIdentity.of(file);
            if (!before.regular()) {
                return new Reading.Absent();
            }
            Decoded decoded = decode();
            // A program that writes in place empties a file first.
            boolean emptied = before.size() == 0 && FileIndex.isYoung(before);
            return !emptied && FileIdentity.of(file).equals(before)
                    ? new Reading.Done(before, decoded)
                    : new Reading.Moving();
        } catch (NoSuchFileException e) {
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    ? refused("dangling symbolic link: " + e.getFile())
                    : new Reading.Absent();
        } catch (AccessDeniedException e) {
            return refused("permission denied; the file must be readable by this daemon");
        } catch (IOException e) {
            return refused("cannot be read: " + e.getMessage());
        }
    }

    /** Decodes the current text of the file, even if it changes meanwhile; keeps at most one document of it in memory. */
    Decoded decode() throws IOException {
        return decode(Manifests.Written.UNUSED);
    }

    /** As the other. */
    Decoded decode(Manifests.Written written) throws IOException {
        Manifests manifests = new Manifests(name, dialect, written);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] piece = new byte[PIECE];
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                manifests.feed(piece, length);
            }
            // An editor that empties a file before writing it must not cause a Service to be removed for a moment.
            return manifests.isBlank() ? empty(name) : manifests.finish();
        } catch (RuntimeException e) {
            // A bug in dualstackd; only this file is refused, not the whole folder.
            LOG.error("decoder failed file={} next=\"the file is refused\"", name, e);
            return unreadable("reading this file failed because of a bug, please report it: " + e);
        }
    }

    /** A file that contains only blanks. */
    static Decoded empty(String name) {
        return unreadable(name, "the file is empty; delete it if its objects are to be removed");
    }

    private Decoded unreadable(String rule) {
        return unreadable(name, rule);
    }

    private static Decoded unreadable(String name, String rule) {
        return Decoded.unreadable(Problem.error(Place.InFile.whole(name), "", rule));
    }

    private Reading refused(String rule) {
        return new Reading.Done(UNKNOWN, unreadable(rule));
    }
}
