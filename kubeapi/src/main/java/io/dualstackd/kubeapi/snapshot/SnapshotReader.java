package io.dualstackd.kubeapi.snapshot;

import io.dualstackd.kubeapi.objects.ApiObject;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Reads a snapshot, one resource after the other, in the order in which {@link SnapshotWriter} wrote them. */
public final class SnapshotReader implements Closeable {
    private final SnapshotInput in;

    private SnapshotReader(SnapshotInput in) {
        this.in = in;
    }

    /** A resource in a snapshot; its objects are read next. */
    public record Resource(String target, String resourceVersion) {}

    /** Receives the objects of a resource with their versions. */
    public interface Visitor {
        void object(ApiObject object, long version);
    }

    /**
     * Compares the checksum, which is read to the end of the stream.
     *
     * @throws IOException if the snapshot is damaged
     */
    public static void check(InputStream in) throws IOException {
        CRC32C checksum = new CRC32C();
        byte[] buffer = new byte[1 << 16];
        int kept = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer, kept, buffer.length - kept)) {
            // The last eight bytes may be the checksum itself.
            int sure = Math.max(0, kept + read - Long.BYTES);
            checksum.update(buffer, 0, sure);
            kept = kept + read - sure;
            System.arraycopy(buffer, sure, buffer, 0, kept);
        }
        if (kept < Long.BYTES) {
            throw new EOFException("it is cut off");
        }
        long sum = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            sum = sum << Byte.SIZE | (buffer[i] & 0xff);
        }
        if (sum != checksum.getValue()) {
            throw new IOException("its checksum is wrong");
        }
    }

    /**
     * Begins to read a snapshot whose checksum was compared; empty when it is of another format or origin.
     *
     * @param in closed with the reader, and when the result is empty
     */
    public static Optional<SnapshotReader> open(InputStream in, String origin) throws IOException {
        SnapshotInput input = new SnapshotInput(in);
        if (input.number() == SnapshotWriter.FORMAT && input.text().equals(origin)) {
            return Optional.of(new SnapshotReader(input));
        }
        input.close();
        return Optional.empty();
    }

    /** The next resource; empty at the end. The objects of the one before must have been read. */
    public Optional<Resource> next() throws IOException {
        return in.flag() ? Optional.of(new Resource(in.text(), in.text())) : Optional.empty();
    }

    /** Passes the objects of the resource to {@code to}. */
    public void objects(Visitor to) throws IOException {
        for (int kind = in.number(); kind != SnapshotWriter.END; kind = in.number()) {
            long version = in.longNumber();
            to.object(kind == SnapshotWriter.SERVICE ? ServiceFormat.read(in) : SliceFormat.read(in), version);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
