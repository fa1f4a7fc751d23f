package io.dualstackd.netlink.sys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnixDatagramsTest {
    @TempDir
    private Path folder;

    @Test
    void arriveOneByOne() throws Exception {
        for (String name : List.of(folder.resolve("socket").toString(), "@dualstackd-test-" + System.nanoTime())) {
            try (DatagramInbox inbox = DatagramInbox.at(name);
                    UnixDatagrams out = UnixDatagrams.to(name)) {
                out.send("one".getBytes(UTF_8));
                out.send("two\nlines".getBytes(UTF_8));
                assertThat(inbox.poll()).hasValue("one");
                assertThat(inbox.poll()).hasValue("two\nlines");
                assertThat(inbox.poll()).isEmpty();
            }
        }
    }

    @Test
    void whereNobodyReceives() {
        assertThatThrownBy(() -> UnixDatagrams.to(folder.resolve("nobody").toString()))
                .isInstanceOf(SysException.class)
                .hasMessageContaining("connect to " + folder)
                .hasMessageContaining("ENOENT");
        assertThatThrownBy(() -> UnixDatagrams.to("@nobody-" + System.nanoTime()))
                .hasMessageContaining("ECONNREFUSED");
        assertThatThrownBy(() -> UnixDatagrams.to("/" + "x".repeat(107))).hasMessageContaining("ENAMETOOLONG");
        assertThatThrownBy(() -> UnixDatagrams.to("")).hasMessageContaining("ENAMETOOLONG");
    }

    @Test
    void aReaderThatIsTooSlowDoesNotStopUs() throws Exception {
        String name = "@dualstackd-test-" + System.nanoTime();
        try (DatagramInbox inbox = DatagramInbox.at(name);
                UnixDatagrams out = UnixDatagrams.to(name)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            out.send("news".getBytes(UTF_8));
                        }
                    })
                    .hasMessageContaining("EAGAIN");
            assertThat(inbox.poll()).hasValue("news");
        }
    }
}
