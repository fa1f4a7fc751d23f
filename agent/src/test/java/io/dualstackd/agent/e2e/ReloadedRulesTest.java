package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration that is read again changes only the rules that it concerns. */
@Tag("kernel")
final class ReloadedRulesTest {
    private static final String COUNTED = "--nfacct-name  ct_state_invalid_dropped_pkts";

    @TempDir
    private Path folder;

    private static List<String> counted(HostUnderTest host) throws Exception {
        return host.commands()
                .saved("iptables-save")
                .lines()
                .filter(line -> line.contains(COUNTED))
                .toList();
    }

    @Test
    void invalidPacketsAreCountedAsBefore() throws Exception {
        Path config = Files.writeString(folder.resolve("own.yaml"), "zone: a\n");
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            RunningDaemon daemon = host.start("--dualstackd-config", config.toString());
            daemon.awaitInForce();
            assertThat(counted(host)).hasSize(1);

            Files.writeString(folder.resolve("new"), "zone: b\n");
            Files.move(folder.resolve("new"), config, StandardCopyOption.ATOMIC_MOVE);
            daemon.awaitLines("configuration read again: applied dualstackd.zone", 1);
            // A later sync has the new configuration.
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 1));
            daemon.awaitLines("services=1", 2);
            assertThat(counted(host)).hasSize(1);
        }
    }
}
