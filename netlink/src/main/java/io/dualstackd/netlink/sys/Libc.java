package io.dualstackd.netlink.sys;

import java.nio.ByteBuffer;
import jnr.ffi.Pointer;
import jnr.ffi.annotations.In;
import jnr.ffi.types.intptr_t;
import jnr.ffi.types.off_t;
import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;
import jnr.ffi.types.u_int32_t;
import org.jspecify.annotations.Nullable;

/**
 * Every libc function that is used, as its man page (section 2) declares it. A negative result means failure; the reason is then in {@link
 * NativeLibc#errno()} of the calling thread until its next call. Direct buffers are passed by address, from their position on.
 *
 * <p>Public because JNR-FFI implements it in a class loader of its own; there is no access to an instance outside this package.
 */
public interface Libc {
    int socket(int domain, int type, int protocol);

    int bind(int fd, @In ByteBuffer address, @u_int32_t int length);

    int listen(int fd, int backlog);

    int accept4(int fd, @Nullable ByteBuffer address, @Nullable ByteBuffer length, int flags);

    int connect(int fd, @In ByteBuffer address, @u_int32_t int length);

    int getsockname(int fd, ByteBuffer address, ByteBuffer length);

    int setsockopt(int fd, int level, int name, @In ByteBuffer value, @u_int32_t int length);

    int setsockopt(int fd, int level, int name, @In Pointer value, @u_int32_t int length);

    int getsockopt(int fd, int level, int name, ByteBuffer value, ByteBuffer length);

    int getsockopt(int fd, int level, int name, Pointer value, ByteBuffer length);

    @ssize_t
    long send(int fd, @In ByteBuffer bytes, @size_t long length, int flags);

    @ssize_t
    long send(int fd, @In Pointer bytes, @size_t long length, int flags);

    @ssize_t
    long recvfrom(
            int fd,
            ByteBuffer bytes,
            @size_t long length,
            int flags,
            @Nullable ByteBuffer from,
            @Nullable ByteBuffer fromLength);

    /** {@code fds} holds {@code struct pollfd}s of 8 bytes; {@code timeout} is in milliseconds, negative means no limit. */
    int poll(ByteBuffer fds, @size_t long count, int timeout);

    /** Returns an address; -1 means failure. */
    @intptr_t
    long mmap(@Nullable Pointer hint, @size_t long length, int protection, int flags, int fd, @off_t long offset);

    /** As {@link #mmap}; without the optional last argument. */
    @intptr_t
    long mremap(Pointer address, @size_t long length, @size_t long newLength, int flags);

    int munmap(Pointer address, @size_t long length);

    /** In bytes; 4 kB on x86-64, up to 64 kB on arm64. */
    int getpagesize();

    int madvise(Pointer address, @size_t long length, int advice);

    int eventfd(@u_int32_t int initial, int flags);

    @ssize_t
    long write(int fd, @In ByteBuffer bytes, @size_t long length);

    @ssize_t
    long read(int fd, ByteBuffer bytes, @size_t long length);

    /** For calls without a function in the libc of older distributions; only with two integer arguments. */
    @ssize_t
    long syscall(@ssize_t long number, int first, int second);

    /** As {@link #syscall(long, int, int)}, for calls with two file names. */
    @ssize_t
    long syscall(@ssize_t long number, int firstFolder, String first, int secondFolder, String second, int flags);

    /** Only for requests that read or fill a buffer. */
    int ioctl(int fd, @size_t long request, ByteBuffer result);

    int open(String path, int flags, int mode);

    int close(int fd);

    int flock(int fd, int operation);

    int unshare(int flags);

    int setns(int fd, int kind);
}
