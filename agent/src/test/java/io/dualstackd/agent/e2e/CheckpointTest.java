package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Daemons in nftables mode, one after the other, with checkpoints in the state directory. */
@Tag("kernel")
final class CheckpointTest {
    @TempDir
    private Path folder;

    private HostUnderTest host;

    @BeforeEach
    void prepare() throws Exception {
        host = HostUnderTest.in(folder);
        host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
    }

    @AfterEach
    void end() throws Exception {
        host.close();
    }

    private RunningDaemon start(String mode) throws Exception {
        RunningDaemon daemon = host.start("--proxy-mode", mode);
        daemon.awaitInForce();
        return daemon;
    }

    private List<String> checkpoints() throws Exception {
        try (Stream<Path> files = Files.list(host.state())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.contains("checkpoint"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aRestartUsesTheCheckpointsOfAllFamiliesOnce() throws Exception {
        start("nftables").terminate();
        String rules = host.commands().ruleset();
        assertThat(checkpoints()).containsExactly("nftables-ipv4.checkpoint", "nftables-ipv6.checkpoint");

        RunningDaemon second = start("nftables");
        assertThat(checkpoints()).isEmpty();
        assertThat(host.commands().ruleset()).isEqualTo(rules);
        assertThat(second.log()).noneMatch(line -> line.contains("checkpoint"));
        second.kill();
        assertThat(checkpoints()).isEmpty();
    }

    @Test
    void changesThatWereMadeMeanwhileAreInForce() throws Exception {
        start("nftables").terminate();
        host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 3));
        RunningDaemon second = start("nftables");
        assertThat(messages(second)).hasSize(2).doesNotContain("0");
        second.kill();

        // Without a checkpoint everything is compared.
        assertThat(messages(start("nftables"))).containsExactly("0", "0");
    }

    /** The messages that the first sync of each family sent to the kernel. */
    private static List<String> messages(RunningDaemon daemon) throws Exception {
        return daemon.log().stream()
                .filter(line -> line.contains("in force family="))
                .map(line -> line.replaceAll(".* messages=(\\d+) .*", "$1"))
                .toList();
    }

    @Test
    void anotherModeAndCleanupDeleteThem() throws Exception {
        start("nftables").terminate();
        RunningDaemon iptables = start("iptables");
        iptables.awaitLines("removed table=", 2);
        iptables.terminate();
        assertThat(checkpoints()).isEmpty();

        start("nftables").terminate();
        assertThat(checkpoints()).hasSize(2);
        Path snapshot = Files.createFile(host.state().resolve("cluster.snapshot"));
        assertThat(host.cleanup().exitCode()).isZero();
        assertThat(checkpoints()).isEmpty();
        assertThat(snapshot).doesNotExist();
    }
}
