package io.dualstackd.agent.log.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.Main;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.supervision.io.FatalAction;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes whose standard error is a pipe that is full and that nobody reads, as when what collects the logs hangs. */
@Tag("kernel")
final class UnreadLogTest {
    private static final int PIPE_BYTES = 64 << 10;

    @TempDir
    private Path folder;

    private static ProcessBuilder java(List<String> before, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private Path pipe() throws Exception {
        Path pipe = folder.resolve("stderr");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    /** Open for both ends, so that neither waits for the other. */
    private static RandomAccessFile full(Path pipe) throws Exception {
        RandomAccessFile both = new RandomAccessFile(pipe.toFile(), "rw");
        both.write(new byte[PIPE_BYTES]);
        return both;
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "without-setup"})
    void aFatalErrorEndsTheProcess(String how) throws Exception {
        Path pipe = pipe();
        try (RandomAccessFile ignored = full(pipe)) {
            Process child = java(List.of(), LogChild.class, how)
                    .redirectError(pipe.toFile())
                    .start();
            try {
                assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
                assertThat(child.exitValue()).isEqualTo(FatalAction.STATUS);
            } finally {
                child.destroyForcibly();
            }
        }
    }

    @Test
    void aRegularEndIsNotHeldUp() throws Exception {
        Path pipe = pipe();
        try (RandomAccessFile ignored = full(pipe)) {
            Process child = java(List.of(), LogChild.class, "exit")
                    .redirectError(pipe.toFile())
                    .start();
            try {
                assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
                assertThat(child.exitValue()).isEqualTo(5);
            } finally {
                child.destroyForcibly();
            }
        }
    }

    /** The order includes what is logged before and after a configuration is read again. */
    @ParameterizedTest
    @ValueSource(strings = {"error", "exit"})
    void allThatWasLoggedIsWrittenBeforeTheEnd(String how) throws Exception {
        Process child = java(List.of(), LogChild.class, how).start();
        try {
            String text = new String(child.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text.lines()
                            .filter(line -> line.contains("line number="))
                            .map(line -> line.substring(line.indexOf('=') + 1)))
                    .containsExactlyElementsOf(IntStream.range(0, LogChild.LINES)
                            .mapToObj(Integer::toString)
                            .toList());
            if (how.equals("error")) {
                assertThat(text).contains("process ends at once", "java.lang.AssertionError: the end");
            }
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void changesGetIntoTheKernelAndSigtermEndsTheDaemon() throws Exception {
        Path manifests = Files.createDirectory(folder.resolve("manifests"));
        Path pipe = pipe();
        try (NetNs ns = FreshNetNs.create();
                RouteClient routes = RouteClient.open(ns);
                RandomAccessFile ignored = full(pipe)) {
            routes.change("lo", new LinkChange.Up());
            NetNsCommands commands = new NetNsCommands(ns);
            String inside =
                    "/proc/" + ProcessHandle.current().pid() + "/fd/" + ns.fd().number();
            Process daemon = java(
                            List.of("nsenter", "--net=" + inside),
                            Main.class,
                            "run",
                            "--standalone=true",
                            "--manifests=" + manifests,
                            "--proxy-mode=nftables",
                            "--hostname-override=n1",
                            "--cluster-cidr=10.244.0.0/16,fd00:10:244::/56",
                            "--conntrack-max-per-core=0",
                            "--state-dir=" + folder.resolve("state"),
                            "--admin-socket=" + folder.resolve("admin.sock"))
                    .redirectError(pipe.toFile())
                    .start();
            try {
                for (int i = 1; i <= 5; i++) {
                    String ip = "10.96.0." + i;
                    Files.writeString(manifests.resolve("web.yaml"), """
                            apiVersion: v1
                            kind: Service
                            metadata: {name: web, namespace: shop}
                            spec: {clusterIP: %s, clusterIPs: [%s], ipFamilies: [IPv4], ports: [{port: 80}]}
                            """.formatted(ip, ip));
                    Awaitility.await()
                            .atMost(Duration.ofMinutes(1))
                            .untilAsserted(() -> assertThat(commands.ruleset()).contains(ip + " "));
                }
                assertThat(daemon.toHandle().destroy()).isTrue();
                assertThat(daemon.waitFor(1, TimeUnit.MINUTES)).isTrue();
                assertThat(daemon.exitValue()).isZero();
            } finally {
                daemon.destroyForcibly();
            }
        }
    }
}
