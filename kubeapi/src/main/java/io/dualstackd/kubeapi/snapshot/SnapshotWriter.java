package io.dualstackd.kubeapi.snapshot;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/** Writes a snapshot: for each resource the request that selects its objects, the version of the server, and the objects. */
public final class SnapshotWriter implements Closeable {
    /** To be increased when what is written of an object changes. */
    static final int FORMAT = 1;

    static final int END = 0;
    static final int SERVICE = 1;
    static final int SLICE = 2;

    private final SnapshotOutput out;

    /** @param origin what the objects depend on, apart from the requests: a reader with another one must not use them */
    public SnapshotWriter(OutputStream out, String origin) throws IOException {
        this.out = new SnapshotOutput(out);
        this.out.number(FORMAT);
        this.out.text(origin);
    }

    /**
     * Begins a resource.
     *
     * @param target path and selectors of the list
     * @param resourceVersion the version from which a watch continues
     */
    public void begin(String target, String resourceVersion) throws IOException {
        out.flag(true);
        out.text(target);
        out.text(resourceVersion);
    }

    /**
     * Writes an object of the resource that was begun.
     *
     * @param version of the object, 0 or more
     */
    public void put(ApiObject object, long version) throws IOException {
        switch (object) {
            case Service service -> {
                out.number(SERVICE);
                out.number(version);
                ServiceFormat.write(out, service);
            }
            case EndpointSlice slice -> {
                out.number(SLICE);
                out.number(version);
                SliceFormat.write(out, slice);
            }
            default -> throw new IllegalArgumentException("not an object of a snapshot: " + object.key());
        }
    }

    /** Ends the resource that was begun. */
    public void end() throws IOException {
        out.number(END);
    }

    /** Ends the snapshot, and closes the stream. */
    @Override
    public void close() throws IOException {
        out.flag(false);
        out.close();
    }
}
