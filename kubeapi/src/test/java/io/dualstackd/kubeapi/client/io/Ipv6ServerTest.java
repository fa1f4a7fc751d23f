package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.ClusterAccessReader;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server that is reached over IPv6, by an address or by a name that has one. */
@Tag("kernel")
final class Ipv6ServerTest {
    private static final Ip LOOPBACK = Ip.parse("::1");
    private static final String ULA = "fd00:10:53::a";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private NetNs ns;

    @BeforeEach
    void start() throws Exception {
        ns = FreshNetNs.create();
        try (RouteClient routes = RouteClient.open(ns)) {
            routes.change("lo", new LinkChange.Up());
            routes.add(Address.of(routes.indexOf("lo"), Ip.parse(ULA), 128));
        }
    }

    @AfterEach
    void end() {
        ns.close();
    }

    /** Threads that are started there stay there: those of the server, and those of the client. */
    private void inside(Callable<Boolean> test) throws Exception {
        assertThat(ns.call(test)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", ULA})
    void listsAndWatchesOverAnAddress(String host) throws Exception {
        inside(() -> {
            try (TestApiServer server = TestCluster.filled(TestApiServer.tlsAt(Ip.parse(host), host), 3);
                    TestCluster cluster = TestCluster.of(server).start()) {
                cluster.awaitEqual();
                server.put(TestCluster.slice(2, 5));
                cluster.awaitEqual();
                assertThat(server.requests).isNotEmpty().allSatisfy(request -> {
                    assertThat(request.getHeaders().get("Host"))
                            .isEqualTo("[" + host + "]:" + server.access().port());
                    assertThat(request.getHandshakeServerNames())
                            .as("an address is no server name (RFC 6066)")
                            .isEmpty();
                });
                assertThat(cluster.source().status().tls()).isEqualTo("BoringSSL");
            }
            return true;
        });
    }

    /** As a URL is read from a kubeconfig; the same address may be written in several ways. */
    @ParameterizedTest
    @ValueSource(strings = {ULA, "FD00:10:53:0:0:0:0:A", "fd00:10:53::0a"})
    void theAddressOfAKubeconfig(String written) throws Exception {
        inside(() -> {
            try (TestApiServer server = TestCluster.filled(TestApiServer.tlsAt(Ip.parse(ULA), ULA), 3)) {
                Path authority = Files.writeString(
                        folder.resolve("ca.crt"), server.access().authorities().orElseThrow());
                Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                        apiVersion: v1
                        kind: Config
                        clusters: [{name: c, cluster: {server: "https://[%s]:%s/", certificate-authority: "%s"}}]
                        users: [{name: u, user: {token: t}}]
                        contexts: [{name: x, context: {cluster: c, user: u}}]
                        current-context: x
                        """.formatted(
                                written, server.access().port(), authority));
                reads(server, settings(Optional.of(kubeconfig.toString())), Map.of());
            }
            return true;
        });
    }

    /** {@code KUBERNETES_SERVICE_HOST} has no brackets. */
    @Test
    void theAddressOfThePodsEnvironment() throws Exception {
        inside(() -> {
            try (TestApiServer server = TestCluster.filled(TestApiServer.tlsAt(Ip.parse(ULA), ULA), 3)) {
                Files.writeString(
                        folder.resolve("ca.crt"), server.access().authorities().orElseThrow());
                Files.writeString(folder.resolve("token"), "t");
                ClusterAccessReader entrance = ClusterAccessReader.find(
                        settings(Optional.empty()),
                        Map.of(
                                "KUBERNETES_SERVICE_HOST",
                                ULA,
                                "KUBERNETES_SERVICE_PORT",
                                String.valueOf(server.access().port())),
                        folder,
                        InstantSource.system());
                reads(server, entrance);
                assertThat(server.requests)
                        .extracting(request -> request.getHeaders().get("Authorization"))
                        .containsOnly("Bearer t");
            }
            return true;
        });
    }

    private static ClusterSettings settings(Optional<String> kubeconfig) {
        return new ClusterSettings(kubeconfig, Optional.empty(), WireFormat.PROTOBUF, 0, 0);
    }

    private static void reads(TestApiServer server, ClusterSettings settings, Map<String, String> environment)
            throws Exception {
        reads(server, ClusterAccessReader.find(settings, environment));
    }

    private static void reads(TestApiServer server, ClusterAccessReader entrance) throws Exception {
        try (TestCluster cluster = TestCluster.of(server)
                .access(entrance.access())
                .credentials(entrance.credentials())
                .start()) {
            cluster.awaitEqual();
            assertThat(server.requests)
                    .extracting(request -> request.getHeaders().get("Host"))
                    .containsOnly("[" + entrance.access().host() + "]:"
                            + server.access().port());
        }
    }

    /** Valid for a name, for the other loopback, or for an address that has it as a part. */
    @ParameterizedTest
    @CsvSource({"api.example.org", "127.0.0.1", "::2", "localhost"})
    void rejectsCertificateOfAnotherAddress(String name) throws Exception {
        inside(() -> {
            try (TestApiServer server = TestCluster.filled(TestApiServer.tlsAt(LOOPBACK, name), 3);
                    TestCluster cluster = TestCluster.of(server).start()) {
                await().atMost(TIMEOUT)
                        .until(() -> cluster.source().status().failure().isPresent());
                assertThat(cluster.source()
                                .status()
                                .failure()
                                .map(ResourceFailure::what)
                                .orElseThrow())
                        .contains(server.access().url())
                        .contains("its certificate is not accepted")
                        .contains("::1");
                assertThat(server.requests).isEmpty();
            }
            return true;
        });
    }

    /** {@code tls-server-name}: which name the certificate must have, and which one is sent to the server. */
    @Test
    void anAddressWhoseServerHasAName() throws Exception {
        inside(() -> {
            try (TestApiServer server = TestCluster.filled(TestApiServer.tlsAt(LOOPBACK, "api.example.org"), 3)) {
                ClusterAccess real = server.access();
                ClusterAccess named = new ClusterAccess(
                        true,
                        real.host(),
                        real.port(),
                        "",
                        real.authorities(),
                        Optional.of("api.example.org"),
                        false,
                        Optional.empty());
                try (TestCluster cluster = TestCluster.of(server).access(named).start()) {
                    cluster.awaitEqual();
                    assertThat(server.requests)
                            .allSatisfy(request -> assertThat(request.getHandshakeServerNames())
                                    .isEqualTo(List.of("api.example.org")));
                }
            }
            return true;
        });
    }
}
