package io.dualstackd.agent.source.io;

import io.dualstackd.agent.api.Decoded;
import io.dualstackd.agent.api.Manifests;
import io.dualstackd.agent.tree.Place;
import io.dualstackd.agent.tree.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one file; whatever goes wrong is a problem of that file. */
final class ManifestFile {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");

    /** What reading gave. */
    sealed interface Reading {
        /**
         * The content, or why it cannot be had.
         *
         * @param text empty when there is none
         */
        record Done(Stamp stamp, Decoded decoded, String text) implements Reading {
            boolean isGood() {
                return decoded.problems().stream().noneMatch(Problem::isError);
            }
        }

        /** Somebody is writing right now; try again. */
        record Moving() implements Reading {}

        /** The file is not there, or is not a file. */
        record Absent() implements Reading {}
    }

    /** Stands for a file whose attributes cannot be read. */
    static final Stamp UNKNOWN = new Stamp("", -1, FileTime.fromMillis(0), FileTime.fromMillis(0), true);

    private final Path file;
    private final String name;

    ManifestFile(Path file) {
        this.file = file;
        this.name = String.valueOf(file.getFileName());
    }

    Reading read() {
        Stamp before = UNKNOWN;
        try {
            before = Stamp.of(file);
            if (!before.regular()) {
                return new Reading.Absent();
            }
            if (before.size() > Manifests.MAX_CHARACTERS) {
                return new Reading.Done(before, Decoded.unreadable(Manifests.tooLong(name, before.size())), "");
            }
            byte[] bytes = bytes();
            return Stamp.of(file).equals(before) ? decode(before, bytes) : new Reading.Moving();
        } catch (NoSuchFileException e) {
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    ? refused(UNKNOWN, "the link leads nowhere: " + e.getFile())
                    : new Reading.Absent();
        } catch (AccessDeniedException e) {
            return refused(before, "permission denied; the file must be readable by this daemon");
        } catch (IOException e) {
            return refused(before, "cannot be read: " + e.getMessage());
        }
    }

    /** One byte more than allowed at most, in case the file grows meanwhile. */
    private byte[] bytes() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(Manifests.MAX_CHARACTERS + 1);
        }
    }

    private Reading decode(Stamp stamp, byte[] bytes) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return refused(stamp, "the text is not UTF-8");
        }
        if (text.isBlank()) {
            // An editor that empties a file before it writes must not take a service away for a moment.
            return refused(stamp, "the file is empty; delete it if its objects shall go");
        }
        try {
            return new Reading.Done(stamp, Manifests.decode(name, text), text);
        } catch (RuntimeException e) {
            // A mistake of ours; it shall cost this file, not the whole folder.
            LOG.error("decoder failed file={} next=\"the file is refused\"", name, e);
            return refused(stamp, "this file makes the program fail, please report it: " + e);
        }
    }

    private Reading refused(Stamp stamp, String rule) {
        return new Reading.Done(stamp, Decoded.unreadable(Problem.error(Place.InFile.whole(name), "", rule)), "");
    }
}
