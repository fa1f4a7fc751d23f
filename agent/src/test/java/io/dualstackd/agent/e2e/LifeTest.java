package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.Sysctl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Start, end, and what the commands around them answer. */
@Tag("kernel")
final class LifeTest {
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

    private HostUnderTest.Ended status(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("status", "--admin-socket", host.socket().toString()));
        arguments.addAll(List.of(more));
        return host.run(arguments.toArray(String[]::new));
    }

    private List<Listing> listings() throws Exception {
        List<Listing> all = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            all.add(host.listing(family));
        }
        return all;
    }

    @Test
    void sigtermEndsItCleanlyAndRulesStay() throws Exception {
        RunningDaemon daemon = host.start();
        daemon.awaitInForce();
        List<Listing> before = listings();
        assertThat(before).noneMatch(Listing::isEmpty);
        assertThat(host.socket()).exists();
        assertThat(daemon.terminate()).isZero();
        assertThat(daemon.log().getLast()).contains(" stopped");
        assertThat(host.socket()).doesNotExist();
        assertThat(listings()).isEqualTo(before);
        HostUnderTest.Ended cleanup = host.cleanup();
        assertThat(cleanup.exitCode()).isZero();
        assertThat((host.commands().saved("iptables-save") + host.commands().saved("ip6tables-save")).lines())
                .noneMatch(line -> line.contains("KUBE-"));
    }

    /** The host is as before when the daemon cannot know what to do on it. */
    @Test
    void withoutAccessToAClusterNothingOfTheHostIsChanged() throws Exception {
        Sysctl.write(host.ns(), "net/ipv4/ip_forward", "0");
        HostUnderTest.Ended nowhere = host.run(
                "run",
                "--kubeconfig",
                folder.resolve("none").toString(),
                "--admin-socket",
                "",
                "--state-dir",
                host.state().toString());
        assertThat(nowhere.exitCode())
                .as("it may appear, so systemd tries again")
                .isEqualTo(1);
        assertThat(nowhere.err()).contains(folder.resolve("none").toString());
        HostUnderTest.Ended nothingSaid = host.run(
                "run", "--admin-socket", "", "--state-dir", host.state().toString());
        assertThat(nothingSaid.exitCode()).isEqualTo(2);
        assertThat(nothingSaid.err()).contains("--kubeconfig", "--standalone --manifests DIR");
        assertThat(Sysctl.read(host.ns(), "net/ipv4/ip_forward")).isEqualTo("0");
    }

    @Test
    void theSecondOneOnTheSameSocketRefuses() throws Exception {
        RunningDaemon daemon = host.start();
        daemon.awaitInForce();
        int generation = host.generation();
        HostUnderTest.Ended second = host.run(host.runArguments().toArray(String[]::new));
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err().lines())
                .singleElement()
                .asString()
                .contains("another dualstackd answers", host.socket().toString());
        assertThat(host.generation()).isEqualTo(generation);
        assertThat(status().exitCode()).isZero();
    }

    @Test
    void statusSetsTheExitCode() throws Exception {
        HostUnderTest.Ended unreachable = status();
        assertThat(unreachable.exitCode()).isEqualTo(4);
        assertThat(unreachable.err().lines()).singleElement().asString().contains("no daemon answers");
        RunningDaemon daemon = host.start();
        daemon.awaitInForce();
        HostUnderTest.Ended healthy = status();
        assertThat(healthy.exitCode()).isZero();
        assertThat(healthy.out()).contains("healthy", "IPv4", "IPv6", "1 service");
        HostUnderTest.Ended json = status("-o", "json");
        assertThat(json.exitCode()).isZero();
        parse(json.out());
        assertThat(status("-o", "xml").exitCode()).isEqualTo(2);
        daemon.kill();
        assertThat(status().exitCode()).isEqualTo(4);
    }

    @Test
    void reportsRemovedFolderAndKeepsTheRules() throws Exception {
        RunningDaemon daemon = host.start();
        daemon.awaitInForce();
        List<Listing> before = listings();
        Path away = folder.resolve("away");
        Files.move(host.manifests(), away);
        daemon.awaitLines("the folder does not exist", 1);
        HostUnderTest.Ended without = status();
        assertThat(without.exitCode()).isEqualTo(5);
        assertThat(without.out()).contains("DEGRADED", "the folder does not exist");
        assertThat(listings()).isEqualTo(before);
        Files.move(away, host.manifests());
        eventually().untilAsserted(() -> assertThat(status().out()).doesNotContain("the folder does not exist"));
        assertThat(listings()).isEqualTo(before);
    }

    @Test
    void jsonLogsAreJsonToTheLastLine() throws Exception {
        host.put("bad.yaml", "kind: [\n");
        RunningDaemon daemon = host.start("--log-format", "json");
        daemon.awaitLines("\"family\":\"IPv4\"", 1);
        daemon.awaitLines("\"family\":\"IPv6\"", 1);
        assertThat(daemon.terminate()).isZero();
        for (String line : daemon.log()) {
            parse(line);
        }
        assertThat(daemon.log().getLast()).contains("\"msg\":\"stopped\"");
    }

    @Test
    void theNameOfAManifestIsNoFieldOfALogLine() throws Exception {
        host.put("a\" level=\"x family=IPv6.yaml", "kind: [\n");
        RunningDaemon daemon = host.start("--log-format", "json");
        daemon.awaitLines("manifest refused", 1);
        assertThat(daemon.log())
                .filteredOn(line -> line.contains("manifest refused"))
                .allSatisfy(line -> assertThat(line)
                        .contains("a\\\" level=\\\"x family=IPv6.yaml")
                        .endsWith("\"fields\":{\"next\":\"an earlier good version, if any, stays in force\"}}"));
    }

    private static void parse(String json) throws Exception {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            parser.skipChildren();
            assertThat(parser.nextToken()).isNull();
        }
    }
}
