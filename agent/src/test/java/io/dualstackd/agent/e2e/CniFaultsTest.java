package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.faults.Mounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A daemon whose CNI configuration cannot be written serves its Services, is degraded with the reason, and writes the file as soon as the
 * file system lets it. The file systems are real: a tmpfs of a mount namespace, full or read-only.
 */
@Tag("kernel")
final class CniFaultsTest {
    private static final String NAME = "10-dualstackd.conflist";

    @TempDir
    private Path folder;

    private HostUnderTest host;
    private Path netd;
    private Mounts mounts;

    @BeforeEach
    void start() throws Exception {
        host = HostUnderTest.in(folder);
        netd = Files.createDirectory(folder.resolve("net.d"));
        mounts = Mounts.over(netd);
    }

    @AfterEach
    void end() throws Exception {
        host.close();
        mounts.close();
    }

    /** The file as the daemon sees it. */
    private Path file() {
        return Path.of("/proc/" + mounts.pid() + "/root" + netd.resolve(NAME));
    }

    private RunningDaemon run() throws Exception {
        // With the capability that the systemd unit leaves, root may not write where it has no permission.
        List<String> under = List.of(
                "nsenter",
                "--mount=/proc/" + mounts.pid() + "/ns/mnt",
                "--wd=" + Path.of("").toAbsolutePath(),
                "setpriv",
                "--bounding-set=-all,+net_admin",
                "--inh-caps=-all",
                "--no-new-privs");
        RunningDaemon daemon = host.startCommand(
                under, host.runArguments("--write-cni", netd.resolve(NAME).toString()));
        daemon.awaitInForce();
        return daemon;
    }

    private HostUnderTest.Ended status() throws Exception {
        return host.run("status", "--admin-socket", host.socket().toString());
    }

    private void degradedThenWritten(String reason, AutoCloseable repair) throws Exception {
        RunningDaemon daemon = run();
        HostUnderTest.Ended ended = status();
        assertThat(ended.out())
                .contains(": DEGRADED\n")
                .contains("--write-cni: " + netd.resolve(NAME) + " cannot be written: " + reason + "; ");
        assertThat(ended.exitCode()).isEqualTo(5);
        assertThat(daemon.count("CNI configuration not written")).isEqualTo(1);
        assertThat(file()).doesNotExist();
        // Nothing stays of an attempt; the next one may be under way.
        eventually().untilAsserted(() -> assertThat(names()).doesNotContain("." + NAME + ".new"));
        repair.close();
        eventually().untilAsserted(() -> assertThat(file()).exists());
        assertThat(file()).content().contains("\"10.244.0.0/24\"", "\"fd00:10:244::/64\"");
        eventually().untilAsserted(() -> assertThat(status().out()).doesNotContain("--write-cni"));
        daemon.awaitLines("CNI configuration written", 1);
    }

    private List<String> names() throws Exception {
        try (var files = Files.list(file().getParent())) {
            return files.map(each -> each.getFileName().toString()).toList();
        }
    }

    @Test
    void onAFullFileSystem() throws Exception {
        mounts.full(true);
        degradedThenWritten("No space left on device", () -> mounts.full(false));
    }

    @Test
    void inAFolderWithoutPermission() throws Exception {
        permissions("r-xr-xr-x");
        degradedThenWritten("Permission denied", () -> permissions("rwxr-xr-x"));
    }

    private void permissions(String text) throws Exception {
        Files.setPosixFilePermissions(file().getParent(), PosixFilePermissions.fromString(text));
    }

    @Test
    void onAReadOnlyFileSystem() throws Exception {
        mounts.readOnly(true);
        degradedThenWritten("Read-only file system", () -> mounts.readOnly(false));
    }
}
