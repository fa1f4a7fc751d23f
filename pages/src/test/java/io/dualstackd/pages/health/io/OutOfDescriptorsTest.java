package io.dualstackd.pages.health.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.process.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process without a free file descriptor answers on many ports. */
@Tag("kernel")
final class OutOfDescriptorsTest {
    /** A pause for each port on which a client waits would delay those that are connected, and at last the heartbeat. */
    @Test
    void clientsThatAreConnectedAreAnswered() throws Exception {
        ProcessBuilder command = ChildJvm.of(OutOfDescriptorsChild.class);
        command.command().addAll(0, List.of("prlimit", "--nofile=400:400"));
        Process child = command.start();
        try {
            assertThat(child.inputReader().lines()).containsExactly("true soon");
            assertThat(child.waitFor()).isZero();
        } finally {
            child.toHandle().destroyForcibly();
        }
    }
}
