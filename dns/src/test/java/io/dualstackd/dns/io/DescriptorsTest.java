package io.dualstackd.dns.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.process.ChildJvm;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of questions while file descriptors are used up, with the real limit of a real process. */
@Tag("kernel")
final class DescriptorsTest {
    @Test
    void questionsFailAndLaterOnesAreAnswered() throws Exception {
        Process child = ChildJvm.of(DescriptorsChild.class).start();
        try {
            String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(output.lines())
                    .containsExactly(
                            "before.example.com: NoError",
                            "www.example.com: ServFail",
                            "www.example.com: NoError",
                            "under way: 0");
        } finally {
            child.toHandle().destroyForcibly();
            child.waitFor();
        }
    }
}
