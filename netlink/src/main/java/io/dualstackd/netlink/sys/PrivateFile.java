package io.dualstackd.netlink.sys;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Replaces a file that only its owner may read: the content is written beside it, under its name with a dot before, and moved into its place. */
public final class PrivateFile {
    private PrivateFile() {}

    /** The content of a file. */
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Replaces the file as a whole, and makes its folder if there is none. Nothing is forced to disk.
     *
     * @throws IOException if that failed; the former file is still there then
     */
    public static void replace(Path file, Content content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(rights("rwx------")));
        }
        Path temporary = file.resolveSibling("." + file.getFileName());
        try {
            var _ = Files.deleteIfExists(temporary);
            Files.createFile(temporary, PosixFilePermissions.asFileAttribute(rights("rw-------")));
            try (OutputStream out = Files.newOutputStream(temporary)) {
                content.writeTo(out);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            // On a full disk, what could be written of it takes space that others need.
            var _ = Files.deleteIfExists(temporary);
        }
    }

    private static Set<PosixFilePermission> rights(String text) {
        return PosixFilePermissions.fromString(text);
    }
}
