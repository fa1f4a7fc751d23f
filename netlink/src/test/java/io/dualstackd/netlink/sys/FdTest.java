package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FdTest {
    @Test
    void closesExactlyOnce() throws IOException {
        Fd first = Fd.open("/proc/self/status", LinuxNumbers.O_RDONLY);
        first.close();
        Fd second = Fd.open("/proc/self/status", LinuxNumbers.O_RDONLY);
        // The kernel gives the lowest free number, so a second close of the first would hit the second.
        first.close();
        assertThat(second.isClosed()).isFalse();
        assertThat(Files.exists(entry(second))).isTrue();
        second.close();
        assertThat(second.isClosed()).isTrue();
    }

    @Test
    void keepsTheNumberUntilTheLastCallIsBack() throws IOException {
        Fd fd = Fd.open("/proc/self/status", LinuxNumbers.O_RDONLY);
        int number = fd.enter("test");
        fd.close();
        assertThat(Files.exists(Path.of("/proc/self/fd/" + number))).isTrue();
        assertThatExceptionOfType(SysException.class)
                .isThrownBy(() -> fd.enter("test"))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        fd.leave();
        assertThat(fd).hasToString("fd " + number + " (/proc/self/status, closed)");
    }

    @Test
    void isNotInheritedByOtherPrograms() throws IOException {
        try (Fd fd = Fd.open("/proc/self/status", LinuxNumbers.O_RDONLY)) {
            String flags = Files.readString(Path.of("/proc/self/fdinfo/" + fd.number()))
                    .lines()
                    .filter(line -> line.startsWith("flags:"))
                    .findFirst()
                    .orElseThrow();
            int octal = Integer.parseInt(flags.substring("flags:".length()).strip(), 8);
            assertThat(octal & LinuxNumbers.O_CLOEXEC).isNotZero();
        }
    }

    @Test
    void saysWhatCouldNotBeOpened() {
        assertThatExceptionOfType(SysException.class)
                .isThrownBy(() -> Fd.open("/nowhere/at/all", LinuxNumbers.O_RDONLY))
                .withMessage("open /nowhere/at/all: ENOENT (2) No such file or directory");
    }

    private static Path entry(Fd fd) {
        return Path.of("/proc/self/fd/" + fd.number());
    }
}
