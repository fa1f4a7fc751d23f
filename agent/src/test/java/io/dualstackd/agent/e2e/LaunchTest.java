package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** No test starts a daemon that writes into the folders of the host's own. */
final class LaunchTest {
    @Test
    void requiresFoldersOfTheTest() throws Exception {
        Launch launch = Launch.usual();
        assertThatThrownBy(() -> launch.command(List.of("run", "--standalone", "--admin-socket", "/x")))
                .hasMessageContaining("--state-dir");
        assertThatThrownBy(() -> launch.command(List.of("run", "--standalone", "--state-dir=/x")))
                .hasMessageContaining("--admin-socket");
        assertThat(launch.command(List.of("run", "--admin-socket", "", "--state-dir", "/x")))
                .endsWith("--state-dir", "/x");
        assertThat(launch.command(List.of("status"))).endsWith("status");
    }
}
