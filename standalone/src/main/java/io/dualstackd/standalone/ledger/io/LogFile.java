package io.dualstackd.standalone.ledger.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A file that is appended to. Any call may fail, and has then done some of its work or none. */
interface LogFile extends AutoCloseable {
    /** Writes all of the bytes from {@code offset} on. */
    void write(ByteBuffer bytes, long offset) throws IOException;

    /** Returns when everything written is on the medium. */
    void force() throws IOException;

    /** Removes everything from {@code size} on. */
    void truncate(long size) throws IOException;

    @Override
    void close() throws IOException;

    /** Opens files. */
    interface Opener {
        /** Files of the file system, accessible only to their owner. */
        Opener DISK = new Opener() {
            @Override
            public LogFile existing(Path file) throws IOException {
                return new OnDisk(FileChannel.open(file, StandardOpenOption.WRITE));
            }

            @Override
            public LogFile empty(Path file) throws IOException {
                return new OnDisk(FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.WRITE,
                                StandardOpenOption.CREATE,
                                StandardOpenOption.TRUNCATE_EXISTING),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
            }
        };

        LogFile existing(Path file) throws IOException;

        /** Opens a new file, or an existing one that is emptied. */
        LogFile empty(Path file) throws IOException;
    }

    /** A file in the file system. */
    record OnDisk(FileChannel channel) implements LogFile {
        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            long at = offset;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
