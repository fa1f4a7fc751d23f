package io.dualstackd.netlink.sys;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * Exchanges the names of two files atomically ({@code renameat2} with {@code RENAME_EXCHANGE}, Linux 3.15): if another program has just
 * replaced one of them, its file is still there, under the other name.
 */
public final class NameSwap {
    private static final int AT_FDCWD = -100;
    private static final int RENAME_EXCHANGE = 2;

    private NameSwap() {}

    /**
     * Exchanges the names of two files.
     *
     * @return false when this kernel or file system does not support it; then nothing has changed
     * @throws IOException when one of them does not exist or the directory is not writable
     */
    public static boolean swap(Path one, Path other) throws IOException {
        OptionalInt number = number(System.getProperty("os.arch", ""));
        if (number.isEmpty()) {
            return false;
        }
        Libc libc = NativeLibc.libc();
        try {
            NativeLibc.retry(
                    "exchange " + one + " and " + other,
                    () -> libc.syscall(
                            number.getAsInt(),
                            AT_FDCWD,
                            one.toAbsolutePath().toString(),
                            AT_FDCWD,
                            other.toAbsolutePath().toString(),
                            RENAME_EXCHANGE));
            return true;
        } catch (SysException e) {
            if (e.errno().equals(Errno.EINVAL) || e.errno().equals(Errno.ENOSYS)) {
                return false;
            }
            throw e;
        }
    }

    /** The number of {@code renameat2}, from the kernel's table for the processor; the libc of older distributions has no function for it. */
    private static OptionalInt number(String processor) {
        return switch (processor) {
            case "amd64" -> OptionalInt.of(316);
            case "aarch64", "riscv64" -> OptionalInt.of(276);
            case "ppc64le" -> OptionalInt.of(357);
            case "s390x" -> OptionalInt.of(347);
            case "arm" -> OptionalInt.of(382);
            default -> OptionalInt.empty();
        };
    }
}
