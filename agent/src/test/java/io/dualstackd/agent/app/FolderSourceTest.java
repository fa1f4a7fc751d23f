package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.LedgerMismatch;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import io.dualstackd.standalone.serviceapi.Semantics;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon without a service range that finds a ledger in its state directory. */
final class FolderSourceTest {
    private static final LedgerSettings RANGE =
            new LedgerSettings(List.of(IpPrefix.parse("10.96.0.0/24")), 30_000, 32_767, Semantics.KUBERNETES);

    @TempDir
    private Path tmp;

    private Path manifests = Path.of("/");
    private Path state = Path.of("/");
    private Path log = Path.of("/");

    @BeforeEach
    void makeFolders() throws IOException {
        manifests = Files.createDirectory(tmp.resolve("manifests"));
        state = tmp.resolve("state");
        log = state.resolve("ledger/ledger.log");
    }

    private void live(String... texts) throws IOException {
        for (int i = 0; i < texts.length; i++) {
            Files.writeString(manifests.resolve("m" + i + ".yaml"), texts[i]);
        }
        try (ServiceLedger ledger = ServiceLedger.open(state, RANGE);
                ManifestFolder folder = ManifestFolder.watched(
                        manifests,
                        new Store(),
                        Optional.empty(),
                        Duration.ofHours(1),
                        ManifestFolder.Progress.UNWATCHED,
                        Dialect.WRITTEN,
                        ledger,
                        Supervisor.none())) {
            assertThat(folder.problems()).isEmpty();
        }
    }

    private void openWithoutRange() throws IOException {
        try (NetNs ns = NetNs.current()) {
            NodeSettings node = NodeSettingsBuilder.node("n").settings();
            SourceSettings.Folder source = new SourceSettings.Folder(manifests.toString());
            DaemonSettings settings = DaemonSettingsBuilder.daemon(ProxyMode.NFTABLES, source, ns, node)
                    .state(state)
                    .settings();
            FolderSource.open(source, settings).close();
        }
    }

    @Test
    void aRangeThatIsForgottenIsNoticed() throws IOException {
        live("{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}]}}");
        byte[] before = Files.readAllBytes(log);
        assertThatThrownBy(this::openWithoutRange)
                .isInstanceOf(LedgerMismatch.class)
                .hasMessage("--service-cluster-ip-range is not given, but the ledger " + log
                        + " holds 1 Service with the cluster IPs and node ports given to it, all of which would go out of"
                        + " service: start with --service-cluster-ip-range as before, or give the ledger up by moving"
                        + " the file away");
        assertThat(log).hasBinaryContent(before);
        Files.move(log, tmp.resolve("given-up"));
        openWithoutRange();
        assertThat(log).doesNotExist();
    }

    @Test
    void aLedgerWithoutServicesKeepsNothingInService() throws IOException {
        live();
        assertThat(log).exists();
        openWithoutRange();
    }

    @Test
    void aLedgerThatCannotBeReadMayHoldServices() throws IOException {
        Files.createDirectories(log.getParent());
        Files.writeString(log, "something else altogether\n");
        assertThatThrownBy(this::openWithoutRange)
                .isInstanceOf(LedgerMismatch.class)
                .hasMessageStartingWith("--service-cluster-ip-range is not given, but the ledger " + log
                        + " holds data that cannot be read (")
                .hasMessageEndingWith("or give the ledger up by moving the file away");
    }
}
