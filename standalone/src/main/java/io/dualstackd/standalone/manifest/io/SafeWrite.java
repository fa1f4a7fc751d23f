package io.dualstackd.standalone.manifest.io;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NameSwap;
import io.dualstackd.netlink.sys.SysException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * Changes a file that other programs may be changing at the same time: it is replaced as a whole, is on disk when this returns, and what
 * another program wrote in the meantime is never lost.
 *
 * <p>An editor that still has the old file open and continues to write into it, writes into a file that no longer has a name; this cannot
 * be prevented.
 */
final class SafeWrite {
    private final Path file;
    private final Path temporary;
    private final Links links;

    /** Makes a hard link. */
    interface Links {
        void link(Path fresh, Path existing) throws IOException;
    }

    SafeWrite(Path file) {
        this(file, Files::createLink);
    }

    SafeWrite(Path file, Links links) {
        this.file = file;
        this.links = links;
        this.temporary = file.resolveSibling(FileName.of(".", String.valueOf(file.getFileName()), ".dualstackd"));
    }

    /**
     * Writes the file.
     *
     * @param before its content when it was read; empty when it did not exist
     * @param after its new content; empty to remove it
     * @return false when its content has changed since; then nothing was written
     */
    boolean change(Optional<String> before, Optional<String> after) throws IOException {
        try {
            if (after.isEmpty()) {
                return before.isEmpty() || remove(before.get());
            }
            prepare(after.get());
            boolean done = before.isPresent() ? replace(before.get(), after.get()) : place();
            sync();
            return done;
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void prepare(String text) throws IOException {
        Files.deleteIfExists(temporary);
        try (FileChannel channel =
                FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer content = ByteBuffer.wrap(bytes(text));
            while (content.hasRemaining()) {
                channel.write(content);
            }
            channel.force(true);
        }
    }

    /** Gives the temporary file the name of the file; false when there is one of this name. */
    private boolean place() throws IOException {
        try {
            // A link never replaces an existing file, a rename does.
            links.link(file, temporary);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (UnsupportedOperationException | FileSystemException e) {
            // A file system without links, as FAT, answers EPERM. What hinders more hinders the rename, too.
            if (Files.exists(file)) {
                return false;
            }
            Files.move(temporary, file);
            return true;
        }
    }

    private boolean replace(String before, String after) throws IOException {
        if (!holds(file, before)) {
            return false;
        }
        Files.setPosixFilePermissions(temporary, Files.getPosixFilePermissions(file));
        try {
            Files.setAttribute(temporary, "unix:uid", Files.getAttribute(file, "unix:uid"));
            Files.setAttribute(temporary, "unix:gid", Files.getAttribute(file, "unix:gid"));
        } catch (IOException e) {
            // Only root may change the owner of files; otherwise the file is owned by the user of the daemon.
        }
        try {
            if (!NameSwap.swap(file, temporary)) {
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                return true;
            }
            byte[] found = Files.readAllBytes(temporary);
            if (Arrays.equals(found, bytes(before))) {
                return true;
            }
            giveBack(found, bytes(after));
        } catch (SysException e) {
            if (!e.errno().equals(Errno.ENOENT)) {
                throw e;
            }
            // Removed meanwhile.
        }
        return false;
    }

    /**
     * Another program wrote the file first: its text is put back, unless it has written a newer one since.
     *
     * @param found the text that is now under the name of the fresh file
     * @param put the text that was put in its place
     */
    private void giveBack(byte[] found, byte[] put) throws IOException {
        byte[] mine = put;
        byte[] his = found;
        while (NameSwap.swap(file, temporary)) {
            byte[] out = Files.readAllBytes(temporary);
            if (Arrays.equals(out, mine)) {
                return;
            }
            mine = his;
            his = out;
        }
    }

    private boolean remove(String before) throws IOException {
        if (!holds(file, before)) {
            return false;
        }
        Files.move(file, temporary, StandardCopyOption.ATOMIC_MOVE);
        boolean same = holds(temporary, before);
        if (!same) {
            // Another program may have written the file once more.
            boolean ignored = place();
        }
        sync();
        return same;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean holds(Path file, String text) throws IOException {
        try {
            return Arrays.equals(Files.readAllBytes(file), bytes(text));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Forces the folder, so that the name is on disk, too. */
    private void sync() throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
