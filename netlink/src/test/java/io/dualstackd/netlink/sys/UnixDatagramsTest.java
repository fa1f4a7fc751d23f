package io.dualstackd.netlink.sys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnixDatagramsTest {
    @TempDir
    private Path folder;

    @Test
    void arriveOneByOne() throws Exception {
        for (String name : List.of(folder.resolve("socket").toString(), "@dualstackd-test-" + System.nanoTime())) {
            try (DatagramInbox inbox = DatagramInbox.at(name);
                    UnixDatagrams out = UnixDatagrams.to(name, Duration.ZERO)) {
                out.send("one".getBytes(UTF_8));
                out.send("two\nlines".getBytes(UTF_8));
                assertThat(inbox.poll()).hasValue("one");
                assertThat(inbox.poll()).hasValue("two\nlines");
                assertThat(inbox.poll()).isEmpty();
            }
        }
    }

    @Test
    void noReceiver() {
        assertThatThrownBy(() -> UnixDatagrams.to(folder.resolve("nobody").toString(), Duration.ZERO))
                .isInstanceOf(SysException.class)
                .hasMessageContaining("connect to " + folder)
                .hasMessageContaining("ENOENT");
        assertThatThrownBy(() -> UnixDatagrams.to("@nobody-" + System.nanoTime(), Duration.ZERO))
                .hasMessageContaining("ECONNREFUSED");
        assertThatThrownBy(() -> UnixDatagrams.to("/" + "x".repeat(107), Duration.ZERO))
                .hasMessageContaining("ENAMETOOLONG");
        assertThatThrownBy(() -> UnixDatagrams.to("", Duration.ZERO)).hasMessageContaining("ENAMETOOLONG");
    }

    @Test
    void aReaderThatIsTooSlowDoesNotStopUs() throws Exception {
        String name = "@dualstackd-test-" + System.nanoTime();
        try (DatagramInbox inbox = DatagramInbox.at(name);
                UnixDatagrams out = UnixDatagrams.to(name, Duration.ZERO)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            out.send("news".getBytes(UTF_8));
                        }
                    })
                    .hasMessageContaining("EAGAIN");
            assertThat(inbox.poll()).hasValue("news");
        }
    }

    @Test
    void aReaderThatIsSlowIsWaitedFor() throws Exception {
        String name = "@dualstackd-test-" + System.nanoTime();
        try (DatagramInbox inbox = DatagramInbox.at(name);
                UnixDatagrams impatient = UnixDatagrams.to(name, Duration.ofMillis(1));
                UnixDatagrams out = UnixDatagrams.to(name, Duration.ofMinutes(1))) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            impatient.send("news".getBytes(UTF_8));
                        }
                    })
                    .hasMessageContaining("EAGAIN");
            FutureTask<String> sent = new FutureTask<>(() -> {
                out.send("last".getBytes(UTF_8));
                return "sent";
            });
            Thread.ofPlatform().start(sent);
            while (!inbox.poll().equals(Optional.of("last"))) {
                Thread.onSpinWait();
            }
            assertThat(sent.get(1, TimeUnit.MINUTES)).isEqualTo("sent");
        }
    }
}
