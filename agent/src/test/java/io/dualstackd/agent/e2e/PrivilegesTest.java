package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without the privileges it needs, every command prints one line about them, and ends with 3. */
@Tag("kernel")
final class PrivilegesTest {
    private static final List<String> WITHOUT_NET_ADMIN =
            List.of("setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin");
    private static final List<String> WITHOUT_ANY = List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all");

    @TempDir
    private Path folder;

    @Test
    void runAndCleanup() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            for (List<String> arguments : List.of(host.runArguments(), host.cleanupArguments())) {
                for (List<String> under : List.of(WITHOUT_NET_ADMIN, WITHOUT_ANY)) {
                    assertOneLine(host.runUnder(under, arguments), "CAP_NET_ADMIN");
                }
            }
            assertThat(host.commands().ruleset()).isEmpty();
            assertThat(host.socket()).doesNotExist();
        }
    }

    /** What the unit and the DaemonSet give it. */
    @Test
    void netAdminAloneIsEnough() throws Exception {
        List<String> alone = List.of("setpriv", "--bounding-set=-all,+net_admin", "--inh-caps=-all", "--no-new-privs");
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.put("web.yaml", Manifests.service("web", 1, "type: NodePort") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.startUnder(alone);
            daemon.awaitInForce();
            host.delete("web.yaml");
            daemon.awaitLines(" in force ", 4);
            assertThat(daemon.log()).noneMatch(line -> line.contains("EPERM") || line.contains("not permitted"));
            assertThat(daemon.terminate()).isZero();
        }
    }

    /** The unit's capabilities, as they are written there, are enough for DNS on port 53. */
    @Test
    void theUnitMayListenOnPort53() throws Exception {
        String given = Files.readAllLines(Path.of("..", "systemd", "dualstackd.service")).stream()
                .filter(line -> line.startsWith("CapabilityBoundingSet="))
                .map(line -> line.substring(line.indexOf('=') + 1).toLowerCase(Locale.ROOT))
                .flatMap(set -> Arrays.stream(set.split(" ", -1)))
                .map(capability -> "+" + capability.substring("cap_".length()))
                .collect(Collectors.joining(","));
        List<String> unit = List.of("setpriv", "--bounding-set=-all," + given, "--inh-caps=-all", "--no-new-privs");
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.commands().run("ip", "link", "set", "lo", "up");
            RunningDaemon daemon = host.startUnder(
                    unit, "--service-cluster-ip-range", "172.30.0.0/24,fd00:172::/112", "--dns-listen", "127.0.0.1");
            daemon.awaitLines("open address=127.0.0.1:53", 1);
            assertThat(daemon.count("DNS not open")).isZero();
        }
    }

    @Test
    void demo() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            List<String> demo =
                    List.of("demo", "--manifests", Path.of("..", "examples").toString());
            assertOneLine(host.runUnder(WITHOUT_ANY, demo), "needs root");
        }
    }

    private static void assertOneLine(HostUnderTest.Ended ended, String part) {
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines())
                .singleElement()
                .asString()
                .startsWith("dualstackd: ")
                .contains(part);
    }
}
