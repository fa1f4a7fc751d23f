package io.dualstackd.netlink.sys;

import static io.dualstackd.netlink.sys.LinuxNumbers.MAP_PRIVATE;
import static io.dualstackd.netlink.sys.LinuxNumbers.O_CLOEXEC;
import static io.dualstackd.netlink.sys.LinuxNumbers.O_RDONLY;
import static io.dualstackd.netlink.sys.LinuxNumbers.PROT_READ;
import static io.dualstackd.netlink.sys.LinuxNumbers.PROT_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Random;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that this process maps, judged by what the kernel says of its memory. */
@Tag("kernel")
final class MappedFilesTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path folder;

    private final Libc libc = NativeLibc.libc();
    private final byte[] content = new byte[BYTES];
    private Path file = Path.of("");
    private MappedFiles files = MappedFiles.ofJvm();

    @BeforeEach
    void write() throws IOException {
        new Random(1).nextBytes(content);
        file = Files.write(folder.toRealPath().resolve("a file"), content);
        files = new MappedFiles(file.toString()::equals);
    }

    @AfterEach
    void givesUpTheDescriptor() {
        files.close();
    }

    @Test
    void releasedPagesAreReadAgainOneByOne() throws Exception {
        Pointer mapped = map(PROT_READ);
        try {
            assertThat(read(mapped)).isEqualTo(content);
            assertThat(resident()).isEqualTo(BYTES / 1024);

            files.release();
            assertThat(resident()).isZero();
            assertThat(mapped.getByte(BYTES / 2)).isEqualTo(content[BYTES / 2]);
            assertThat(resident()).isEqualTo(files.comeBackAlone() ? libc.getpagesize() / 1024 : 64);

            files.release();
            assertThat(resident()).isZero();
            assertThat(read(mapped)).isEqualTo(content);
        } finally {
            libc.munmap(mapped, BYTES);
        }
    }

    /** A debugger writes to code that the process itself can only read; so does the JVM when it relocates its archive. */
    @Test
    void aRangeInWhichSomethingWasWrittenStays() throws Exception {
        Pointer mapped = map(PROT_READ);
        try {
            try (RandomAccessFile memory = new RandomAccessFile("/proc/self/mem", "rw")) {
                memory.seek(mapped.address() + BYTES / 2);
                memory.write(content[BYTES / 2] ^ 1);
            }
            files.release();
            assertThat(mapped.getByte(BYTES / 2)).isEqualTo((byte) (content[BYTES / 2] ^ 1));
            assertThat(mapped.getByte(0)).isEqualTo(content[0]);
        } finally {
            libc.munmap(mapped, BYTES);
        }
    }

    @Test
    void whatIsWritableStays() throws Exception {
        Pointer mapped = map(PROT_READ | PROT_WRITE);
        try {
            mapped.putByte(1, (byte) (content[1] ^ 1));
            files.release();
            assertThat(mapped.getByte(1)).isEqualTo((byte) (content[1] ^ 1));
        } finally {
            libc.munmap(mapped, BYTES);
        }
    }

    private Pointer map(int protection) throws SysException {
        int fd = (int) NativeLibc.retry("open", () -> libc.open(file.toString(), O_RDONLY | O_CLOEXEC, 0));
        try {
            long address = libc.mmap(null, BYTES, protection, MAP_PRIVATE, fd, 0);
            assertThat(address).isNotEqualTo(-1);
            return Pointer.wrap(Runtime.getRuntime(libc), address, BYTES);
        } finally {
            libc.close(fd);
        }
    }

    private static byte[] read(Pointer mapped) {
        byte[] bytes = new byte[BYTES];
        mapped.get(0, bytes, 0, BYTES);
        return bytes;
    }

    /** In kB. */
    private long resident() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/smaps"))) {
            Iterator<String> rest = lines.dropWhile(line -> !line.endsWith(file.toString()))
                    .dropWhile(line -> !line.startsWith("Rss:"))
                    .iterator();
            return Long.parseLong(rest.next().replaceAll("\\D", ""));
        }
    }
}
