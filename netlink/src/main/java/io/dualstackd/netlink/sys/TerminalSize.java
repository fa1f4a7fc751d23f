package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.TIOCGWINSZ;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;

/** The size of a terminal ({@code ioctl_tty(2)}). */
public final class TerminalSize {
    /** {@code struct winsize}: rows, columns and two fields of no use, 16 bits each. */
    private static final int BYTES = 8;

    private static final int ROWS = 0;
    private static final int COLUMNS = 2;

    private TerminalSize() {}

    /** The number of columns of the terminal that is open as this file; empty when it is no terminal, or one that does not know. */
    public static OptionalInt columns(int fd) {
        return size(fd, COLUMNS);
    }

    /** As {@link #columns}, the number of lines. */
    public static OptionalInt rows(int fd) {
        return size(fd, ROWS);
    }

    private static OptionalInt size(int fd, int at) {
        ByteBuffer size = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        try {
            NativeLibc.retry("TIOCGWINSZ", () -> NativeLibc.libc().ioctl(fd, TIOCGWINSZ, size));
        } catch (SysException | NativeAccessException notATerminal) {
            return OptionalInt.empty();
        }
        int number = Short.toUnsignedInt(size.getShort(at));
        return number == 0 ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
