package io.dualstackd.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.ConfigReader;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
final class SettingsTest {
    private static AgentConfig config(Map<Key, String> more) {
        Map<Key, String> flags = new HashMap<>(more);
        flags.put(Key.STANDALONE, "true");
        flags.put(Key.MANIFESTS, "/");
        ConfigResult read = ConfigReader.read(new ConfigReader.Input(Optional.empty(), Optional.empty(), flags));
        assertThat(read).isInstanceOf(ConfigResult.Usable.class);
        return ((ConfigResult.Usable) read).config();
    }

    /**
     * A host gets another name while the daemon runs, by DHCP for example. With that as the node's name, no endpoint would be on this
     * node from the next reload on, and Services of policy Local would drop everything.
     */
    @Test
    void aReloadDoesNotRenameTheNode() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            DaemonSettings before = Settings.of(config(Map.of(Key.HOSTNAME_OVERRIDE, "name-at-the-start")), ns);
            DaemonSettings now = Settings.again(config(Map.of(Key.ZONE, "a")), before);
            assertThat(now.node().name()).isEqualTo("name-at-the-start");
            assertThat(now.node().zone()).contains("a");
        }
    }
}
