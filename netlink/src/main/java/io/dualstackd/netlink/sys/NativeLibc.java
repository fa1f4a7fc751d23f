package io.dualstackd.netlink.sys;

import jnr.ffi.LastError;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Platform;
import jnr.ffi.Runtime;

/** The one {@link Libc} of this JVM, loaded at first use, and the handling of its results. */
final class NativeLibc {
    // A field that may hold the failure instead of a failing static initializer: the second caller gets the same
    // clear message as the first, not a NoClassDefFoundError.
    private static final Loaded LOADED = load();

    private sealed interface Loaded {
        record Ready(Libc libc, Runtime runtime) implements Loaded {}

        record Failed(Throwable reason) implements Loaded {}
    }

    /** A call that is repeated when a signal interrupted it. */
    @FunctionalInterface
    interface Call {
        long run();
    }

    private NativeLibc() {}

    /** @throws NativeAccessException if native code cannot be loaded */
    static Libc libc() {
        return switch (LOADED) {
            case Loaded.Ready ready -> ready.libc;
            case Loaded.Failed failed -> throw new NativeAccessException(failed.reason);
        };
    }

    /**
     * Returns why the last call on this thread failed. Must be read at once: on a virtual thread anything that may block in between could
     * move it to another carrier, whose errno is a different one.
     */
    static Errno errno() {
        return switch (LOADED) {
            case Loaded.Ready ready -> {
                int number = LastError.getLastError(ready.runtime);
                // A call that failed without an errno must still have a printable reason.
                yield number > 0 ? new Errno(number) : Errno.EIO;
            }
            case Loaded.Failed failed -> throw new NativeAccessException(failed.reason);
        };
    }

    /**
     * Repeats a call until no signal interrupts it.
     *
     * @return its result, 0 or more
     */
    static long retry(String operation, Call call) throws SysException {
        while (true) {
            long result = call.run();
            if (result >= 0) {
                return result;
            }
            Errno errno = errno();
            if (!errno.equals(Errno.EINTR)) {
                throw new SysException(operation, errno);
            }
        }
    }

    private static Loaded load() {
        try {
            Libc libc = LibraryLoader.create(Libc.class)
                    .failImmediately()
                    .load(Platform.getNativePlatform().getStandardCLibraryName());
            return new Loaded.Ready(libc, Runtime.getRuntime(libc));
        } catch (LinkageError | RuntimeException reason) {
            return new Loaded.Failed(reason);
        }
    }
}
