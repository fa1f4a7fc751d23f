package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon on a host of iptables legacy. */
@Tag("kernel")
final class LegacyDaemonTest {
    @TempDir
    private Path folder;

    /** Iptables legacy sends no notifications, so the daemon checks the tables itself; its sync period here is hours. */
    @Test
    void restoresDeletedRules() throws Exception {
        try (RenumberedNode node = new RenumberedNode(folder, ProxyMode.IPTABLES)) {
            node.keepsRulesIn(IptablesVariant.LEGACY);
            node.start("ipv4,ipv6");
            String before = node.commands.saved("ip6tables-legacy-save");
            assertThat(before).contains("KUBE-SERVICES");
            // All of it in one step, as the daemon may look at any moment.
            node.commands.feed("""
                    *nat
                    :PREROUTING ACCEPT [0:0]
                    :INPUT ACCEPT [0:0]
                    :OUTPUT ACCEPT [0:0]
                    :POSTROUTING ACCEPT [0:0]
                    COMMIT
                    """, "env", "XTABLES_LOCKFILE=" + folder.resolve("lock"), "ip6tables-legacy-restore");
            RenumberedNode.eventually(() -> assertThat(
                            node.commands.saved("ip6tables-legacy-save").lines())
                    .containsExactlyInAnyOrderElementsOf(before.lines().toList()));
        }
    }
}
