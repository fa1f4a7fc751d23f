package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.MADV_DONTNEED;
import static io.dualstackd.netlink.sys.LinuxNumbers.MADV_NOHUGEPAGE;
import static io.dualstackd.netlink.sys.LinuxNumbers.O_CLOEXEC;
import static io.dualstackd.netlink.sys.LinuxNumbers.UFFDIO_API;
import static io.dualstackd.netlink.sys.LinuxNumbers.UFFDIO_REGISTER;
import static io.dualstackd.netlink.sys.LinuxNumbers.UFFDIO_REGISTER_MODE_WP;
import static io.dualstackd.netlink.sys.LinuxNumbers.UFFD_API;
import static io.dualstackd.netlink.sys.LinuxNumbers.UFFD_FEATURE_WP_ASYNC;
import static io.dualstackd.netlink.sys.LinuxNumbers.UFFD_USER_MODE_ONLY;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * Files that this process has mapped and only reads. Most of the JVM's machine code and of its archive of classes is used by the start alone, or
 * not at all, but after an access the kernel maps up to 64 kB around it ({@code do_fault_around} in mm/memory.c).
 *
 * <p>{@link #release} takes all pages of such files out of the memory of this process; they stay in the page cache. A page that is used comes
 * back, and comes alone where the kernel lets the range be registered with a userfaultfd(2) for asynchronous write protection, because it maps
 * nothing around an access there. Nothing is ever protected, so there is nothing to be read from that descriptor. This takes Linux 6.7 and the
 * permission to call userfaultfd(2), which the usual seccomp profile of containers denies; without them a page comes back with its neighbours.
 *
 * <p>Thread-safe.
 */
public final class MappedFiles implements AutoCloseable {
    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final Path PAGES = Path.of("/proc/self/pagemap");
    /** Such as {@code 7f62b3200000-7f62b4e00000 r-xp 00309000 fe:00 131 /usr/lib/jvm/lib/server/libjvm.so}. */
    private static final Pattern ONLY_READ =
            Pattern.compile("([0-9a-f]+)-([0-9a-f]+) r-[x-]p [0-9a-f]+ \\S+ [0-9]+ +(/.*)");

    private static final Pattern OF_JVM = Pattern.compile(".*/libjvm\\.so|.*\\.(aot|jsa)");
    /** Bits of an entry of pagemap (Documentation/admin-guide/mm/pagemap.rst). */
    private static final long PRESENT_OR_SWAPPED = 3L << 62;

    private static final long OF_FILE = 1L << 61;

    private final Predicate<String> names;
    private final Libc libc = NativeLibc.libc();
    private final Set<Range> registered = new HashSet<>();
    private final Optional<Fd> faults;

    private record Range(long from, long to) {
        long bytes() {
            return to - from;
        }
    }

    private static final class OfJvm {
        static final MappedFiles ALL = new MappedFiles(OF_JVM.asMatchPredicate());
    }

    /** @param names the paths of the files */
    MappedFiles(Predicate<String> names) {
        this.names = names;
        this.faults = userfaultfd();
    }

    /** The machine code and the archive of classes of this JVM, for all its life. */
    public static MappedFiles ofJvm() {
        return OfJvm.ALL;
    }

    /** Whether a page comes back without its neighbours. */
    boolean comeBackAlone() {
        return faults.isPresent();
    }

    /** Takes the pages of the files out of the memory of this process, except of ranges in which a page was written. */
    public synchronized void release() {
        try {
            for (Range range : ranges()) {
                if (isUnchanged(range)) {
                    register(range);
                    advise(range, MADV_DONTNEED);
                }
            }
        } catch (IOException e) {
            // Without /proc the pages stay.
        }
    }

    /** From then on pages come back with their neighbours. */
    @Override
    public void close() {
        faults.ifPresent(Fd::close);
    }

    private List<Range> ranges() throws IOException {
        List<Range> ranges = new ArrayList<>();
        for (String line : Files.readAllLines(MAPS)) {
            Matcher matcher = ONLY_READ.matcher(line);
            if (matcher.matches() && names.test(matcher.group(3))) {
                ranges.add(new Range(
                        Long.parseUnsignedLong(matcher.group(1), 16), Long.parseUnsignedLong(matcher.group(2), 16)));
            }
        }
        return ranges;
    }

    /** Whether all pages are those of the file: a page that was written, by a relocation or a debugger, is not. */
    private boolean isUnchanged(Range range) throws IOException {
        int page = libc.getpagesize();
        byte[] entries = new byte[Math.toIntExact(range.bytes() / page * Long.BYTES)];
        try (RandomAccessFile pages = new RandomAccessFile(PAGES.toFile(), "r")) {
            pages.seek(range.from / page * Long.BYTES);
            pages.readFully(entries);
        }
        LongBuffer each =
                ByteBuffer.wrap(entries).order(ByteOrder.nativeOrder()).asLongBuffer();
        while (each.hasRemaining()) {
            long entry = each.get();
            if ((entry & PRESENT_OR_SWAPPED) != 0 && (entry & OF_FILE) == 0) {
                return false;
            }
        }
        return true;
    }

    private void register(Range range) {
        if (faults.isEmpty() || !registered.add(range)) {
            return;
        }
        advise(range, MADV_NOHUGEPAGE);
        ByteBuffer request = buffer(4 * Long.BYTES)
                .putLong(0, range.from)
                .putLong(Long.BYTES, range.bytes())
                .putLong(2 * Long.BYTES, UFFDIO_REGISTER_MODE_WP);
        try {
            int fd = faults.get().enter("register mapped files");
            try {
                NativeLibc.retry("register mapped files", () -> libc.ioctl(fd, UFFDIO_REGISTER, request));
            } finally {
                faults.get().leave();
            }
        } catch (SysException e) {
            // Its pages come back with their neighbours.
        }
    }

    private void advise(Range range, int advice) {
        // What the kernel refuses stays as it is.
        int ignored =
                libc.madvise(Pointer.wrap(Runtime.getRuntime(libc), range.from, range.bytes()), range.bytes(), advice);
    }

    private Optional<Fd> userfaultfd() {
        OptionalInt number = number(System.getProperty("os.arch", ""));
        if (number.isEmpty()) {
            return Optional.empty();
        }
        try {
            int fd = (int) NativeLibc.retry(
                    "userfaultfd", () -> libc.syscall(number.getAsInt(), O_CLOEXEC | UFFD_USER_MODE_ONLY, 0));
            Fd faults = new Fd(fd, "userfaultfd");
            ByteBuffer request = buffer(3 * Long.BYTES).putLong(0, UFFD_API).putLong(Long.BYTES, UFFD_FEATURE_WP_ASYNC);
            try {
                NativeLibc.retry("userfaultfd features", () -> libc.ioctl(fd, UFFDIO_API, request));
            } catch (SysException e) {
                faults.close();
                throw e;
            }
            return Optional.of(faults);
        } catch (SysException e) {
            return Optional.empty();
        }
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** The number of {@code userfaultfd}, from the kernel's table for the processor; libc has no function for it. */
    private static OptionalInt number(String processor) {
        return switch (processor) {
            case "amd64" -> OptionalInt.of(323);
            case "aarch64", "riscv64" -> OptionalInt.of(282);
            default -> OptionalInt.empty();
        };
    }
}
