package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.MAP_ANONYMOUS;
import static io.dualstackd.netlink.sys.LinuxNumbers.MAP_PRIVATE;
import static io.dualstackd.netlink.sys.LinuxNumbers.PROT_READ;
import static io.dualstackd.netlink.sys.LinuxNumbers.PROT_WRITE;

import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * Memory outside the heap that goes back to the system when it is closed, not when the garbage collector finds the time: a batch
 * may take many millions of bytes, once. Used by one thread.
 */
public final class NativeMemory implements AutoCloseable {
    private final Libc libc;
    private final Pointer pointer;
    private final long size;
    private boolean closed;

    private NativeMemory(Libc libc, Pointer pointer, long size) {
        this.libc = libc;
        this.pointer = pointer;
        this.size = size;
    }

    /** @param size bytes, more than 0; all zero at first */
    public static NativeMemory map(long size) throws SysException {
        Libc libc = LibcDoor.libc();
        long address = libc.mmap(null, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (address == -1) {
            throw new SysException("mmap " + size + " bytes", LibcDoor.errno());
        }
        return new NativeMemory(libc, Pointer.wrap(Runtime.getRuntime(libc), address, size), size);
    }

    /** Copies the first {@code length} bytes of {@code from} to offset {@code at}. */
    public void put(long at, byte[] from, int length) {
        pointer().put(at, from, 0, length);
    }

    /** Where it lies, for structures that point to it; valid until {@link #close}. */
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
