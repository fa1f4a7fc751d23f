package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.MAP_ANONYMOUS;
import static io.dualstackd.netlink.sys.LinuxNumbers.MAP_PRIVATE;
import static io.dualstackd.netlink.sys.LinuxNumbers.MREMAP_MAYMOVE;
import static io.dualstackd.netlink.sys.LinuxNumbers.PROT_READ;
import static io.dualstackd.netlink.sys.LinuxNumbers.PROT_WRITE;

import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * Memory outside the heap that is returned to the system when it is closed, not at some later garbage collection: a batch may take many
 * millions of bytes, once. Used by one thread.
 */
public final class NativeMemory implements AutoCloseable {
    private final Libc libc;
    private Pointer pointer;
    private long size;
    private boolean closed;

    private NativeMemory(Libc libc, Pointer pointer, long size) {
        this.libc = libc;
        this.pointer = pointer;
        this.size = size;
    }

    /** @param size bytes, more than 0; all zero at first */
    public static NativeMemory map(long size) throws SysException {
        Libc libc = NativeLibc.libc();
        long address = libc.mmap(null, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (address == -1) {
            throw new SysException("mmap " + size + " bytes", NativeLibc.errno());
        }
        return new NativeMemory(libc, Pointer.wrap(Runtime.getRuntime(libc), address, size), size);
    }

    public long size() {
        return size;
    }

    /** Enlarges it; its address may change, and nothing is copied for that. New bytes are zero. */
    public void grow(long larger) throws SysException {
        long address = libc.mremap(pointer(), size, larger, MREMAP_MAYMOVE);
        if (address == -1) {
            throw new SysException("mremap to " + larger + " bytes", NativeLibc.errno());
        }
        pointer = Pointer.wrap(Runtime.getRuntime(libc), address, larger);
        size = larger;
    }

    /** Copies {@code length} bytes at offset {@code at} to the beginning of {@code into}. */
    public void get(long at, byte[] into, int length) {
        pointer().get(at, into, 0, length);
    }

    /** Copies the first {@code length} bytes of {@code from} to offset {@code at}. */
    public void put(long at, byte[] from, int length) {
        pointer().put(at, from, 0, length);
    }

    /** Its address, for structures that point to it; valid until {@link #grow} or {@link #close}. */
    public long address() {
        return pointer().address();
    }

    Pointer pointer() {
        if (closed) {
            throw new IllegalStateException("the memory has been given back");
        }
        return pointer;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            libc.munmap(pointer, size);
        }
    }
}
