package io.dualstackd.netlink.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** How many files this process may have open ({@code RLIMIT_NOFILE}, prlimit(2)). */
@SuppressWarnings("restricted")
public final class OpenFiles {
    /** Fewer than are open already in any virtual machine, and more than are ever polled at once. */
    public static final long NO_MORE = 8;

    private static final int OPEN_FILES = 7;

    private static final MethodHandle PRLIMIT = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("prlimit").orElseThrow(),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

    private OpenFiles() {}

    /** Changes how many files may be open, up to the hard limit; returns what it was. */
    public static long limit(long files) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment both = arena.allocate(JAVA_LONG, 2);
            check((int) PRLIMIT.invokeExact(0, OPEN_FILES, MemorySegment.NULL, both));
            long before = both.get(JAVA_LONG, 0);
            both.set(JAVA_LONG, 0, Math.min(files, both.get(JAVA_LONG, JAVA_LONG.byteSize())));
            check((int) PRLIMIT.invokeExact(0, OPEN_FILES, both, MemorySegment.NULL));
            return before;
        }
    }

    private static void check(int result) {
        if (result != 0) {
            throw new IllegalStateException("prlimit failed");
        }
    }
}
