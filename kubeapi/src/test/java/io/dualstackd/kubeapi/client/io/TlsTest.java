package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dualstackd.kubeapi.access.ClientCertificate;
import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.ClusterAccessReader;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which certificates are trusted, and which client certificate is shown. */
@Tag("slow")
final class TlsTest {

    @Test
    void theServersCertificateIsChecked() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("127.0.0.1"), 3);
                TestCluster cluster = TestCluster.of(server).start()) {
            cluster.awaitEqual();
            assertThat(cluster.source().status().tls()).isEqualTo("BoringSSL");
        }
    }

    @Test
    void rejectsCertificateOfAnotherHost() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("api.example.org"), 3);
                TestCluster cluster = TestCluster.of(server).start()) {
            await().until(() -> cluster.source().status().failure().isPresent());
            assertThat(cluster.source()
                            .status()
                            .failure()
                            .map(ResourceFailure::what)
                            .orElseThrow())
                    .contains("its certificate is not accepted");
            assertThat(server.requests(line -> true)).isEmpty();
        }
    }

    @Test
    void rejectsCertificateOfAnotherAuthority() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("127.0.0.1"), 3);
                TestApiServer other = TestApiServer.tls("127.0.0.1");
                TestCluster cluster = TestCluster.of(server)
                        .access(trusting(server.access(), other.access().authorities(), Optional.empty(), false))
                        .start()) {
            await().until(() -> cluster.source().status().failure().isPresent());
            assertThat(server.requests(line -> true)).isEmpty();
        }
    }

    /** As with kubectl: certificates that the administrator added to the system's list are trusted. */
    @Test
    void withoutAnyNamedTheSystemsAuthoritiesCount(@TempDir Path folder) throws IOException {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("127.0.0.1"), 3)) {
            byte[] ours = server.access().authorities().orElseThrow().getBytes(StandardCharsets.US_ASCII);
            Path bundle = Files.write(
                    folder.resolve("bundle.crt"),
                    List.of(
                            "# ----- M\u00fcller's -----",
                            "-----BEGIN CERTIFICATE-----",
                            "bm90IG9uZQ==",
                            "-----END CERTIFICATE-----"),
                    StandardCharsets.ISO_8859_1);
            Files.write(bundle, ours, StandardOpenOption.APPEND);
            try (TestCluster cluster = trustingTheSystem(server, bundle).start()) {
                cluster.awaitEqual();
            }
        }
    }

    @Test
    void reportsMissingSystemCertificates(@TempDir Path folder) {
        Path missing = folder.resolve("none.crt");
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("127.0.0.1"), 3);
                TestCluster cluster = trustingTheSystem(server, missing).start()) {
            await().until(() -> cluster.source().status().failure().isPresent());
            assertThat(cluster.source()
                            .status()
                            .failure()
                            .map(ResourceFailure::what)
                            .orElseThrow())
                    .contains("no certificate authority is named for the server")
                    .contains("there is no " + missing);
            assertThat(server.requests(line -> true)).isEmpty();
        }
    }

    /** The first list that has any counts, and one that is of no use is passed over. */
    @Test
    void listsAreTriedInOrder(@TempDir Path folder) throws IOException {
        Path none = folder.resolve("none.crt");
        Path directory = Files.createDirectory(folder.resolve("directory.crt"));
        Path empty = Files.writeString(folder.resolve("empty.crt"), "# nobody\n");
        HeldCertificate first =
                new HeldCertificate.Builder().commonName("first").build();
        HeldCertificate second =
                new HeldCertificate.Builder().commonName("second").build();
        Path firstList = Files.writeString(folder.resolve("first.crt"), first.certificatePem());
        Path secondList = Files.writeString(folder.resolve("second.crt"), second.certificatePem());
        assertThat(new SystemAuthorities(List.of(none, directory, empty, firstList, secondList)).certificates())
                .containsExactly(first.certificate());
        assertThatThrownBy(() -> new SystemAuthorities(List.of(none, directory, empty)).certificates())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no " + none)
                .hasMessageContaining(directory + " cannot be read: ")
                .hasMessageContaining(empty + " holds none")
                .hasMessageContaining("SSL_CERT_FILE");
    }

    /** The cluster's authority was replaced, and the file of it some time later. */
    @Test
    void aRotatedAuthorityIsReadAgain(@TempDir Path folder) throws Exception {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("127.0.0.1"), 3)) {
            Path authority = folder.resolve("ca.crt");
            Files.writeString(authority, server.access().authorities().orElseThrow());
            Path kubeconfig = Files.writeString(
                    folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
                    users: [{name: u, user: {token: t}}]
                    contexts: [{name: x, context: {cluster: c, user: u}}]
                    current-context: x
                    """.formatted(server.access().url(), authority));
            ClusterAccessReader entrance = ClusterAccessReader.find(
                    new ClusterSettings(
                            Optional.of(kubeconfig.toString()), Optional.empty(), WireFormat.PROTOBUF, 0, 0),
                    Map.of());
            try (TestCluster cluster = TestCluster.of(server)
                    .access(entrance.access())
                    .credentials(entrance.credentials())
                    .start()) {
                cluster.awaitEqual();
                server.renewCertificate("127.0.0.1");
                server.put(TestCluster.slice(2, 5));
                await().until(() -> cluster.source()
                        .status()
                        .failure()
                        .map(ResourceFailure::what)
                        .filter(what -> what.contains("its certificate is not accepted"))
                        .isPresent());

                Files.writeString(authority, "half of it");
                Path written = Files.writeString(
                        folder.resolve("new.crt"), server.access().authorities().orElseThrow());
                Files.move(written, authority, StandardCopyOption.REPLACE_EXISTING);

                cluster.awaitEqual();
            }
        }
    }

    @Test
    void aRotatedListOfTheSystemIsReadAgain(@TempDir Path folder) throws IOException {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("127.0.0.1"), 3)) {
            Path bundle = Files.writeString(
                    folder.resolve("bundle.crt"), server.access().authorities().orElseThrow());
            try (TestCluster cluster = trustingTheSystem(server, bundle).start()) {
                cluster.awaitEqual();
                server.renewCertificate("127.0.0.1");
                server.put(TestCluster.slice(2, 5));
                await().until(() -> cluster.source().status().failure().isPresent());
                Files.writeString(bundle, server.access().authorities().orElseThrow());

                cluster.awaitEqual();
            }
        }
    }

    private static TestCluster trustingTheSystem(TestApiServer server, Path bundle) {
        return TestCluster.of(server)
                .access(trusting(server.access(), Optional.empty(), Optional.empty(), false))
                .environment(Map.of(SystemAuthorities.VARIABLE, bundle.toString()));
    }

    @Test
    void theNameMayBeGiven() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("api.example.org"), 3);
                TestCluster cluster = TestCluster.of(server)
                        .access(trusting(
                                server.access(), server.access().authorities(), Optional.of("api.example.org"), false))
                        .start()) {
            cluster.awaitEqual();
        }
    }

    @Test
    void insecureSkipsVerification() {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("api.example.org"), 3);
                TestCluster cluster = TestCluster.of(server)
                        .access(trusting(server.access(), Optional.empty(), Optional.empty(), true))
                        .start()) {
            cluster.awaitEqual();
        }
    }

    /** As kubeadm writes them (PKCS#1) and as OpenSSL does (PKCS#8), of both kinds. */
    @ParameterizedTest
    @ValueSource(strings = {"rsa pkcs1", "rsa pkcs8", "ec pkcs8"})
    void weMayHaveACertificate(String kind) {
        HeldCertificate.Builder builder = new HeldCertificate.Builder().commonName("system:node-proxier");
        HeldCertificate ours = (kind.startsWith("rsa") ? builder.rsa2048() : builder.ecdsa256()).build();
        String key = kind.endsWith("pkcs1") ? ours.privateKeyPkcs1Pem() : ours.privateKeyPkcs8Pem();
        try (TestApiServer server =
                        TestCluster.filled(TestApiServer.tls("127.0.0.1").clients(ours), 3);
                TestCluster cluster = TestCluster.of(server)
                        .credentials(certificate(new ClientCertificate(ours.certificatePem(), key)))
                        .start()) {
            cluster.awaitEqual();
        }
    }

    /** As kubelet keeps its own: one file with the certificate and the key, which its kubeconfig names twice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void certificateAndKeyMayBeInOneFile(boolean certificateFirst) {
        HeldCertificate ours = new HeldCertificate.Builder()
                .commonName("system:node:n1")
                .ecdsa256()
                .build();
        String key = ours.privateKeyPkcs8Pem();
        String both = certificateFirst ? ours.certificatePem() + key : key + ours.certificatePem();
        try (TestApiServer server =
                        TestCluster.filled(TestApiServer.tls("127.0.0.1").clients(ours), 3);
                TestCluster cluster = TestCluster.of(server)
                        .credentials(certificate(new ClientCertificate(both, both)))
                        .start()) {
            cluster.awaitEqual();
        }
    }

    /** As for kubectl: a certificate of a kind that cannot be read, and blocks of other kinds, do not affect the others. */
    @Test
    void anUnreadableAuthorityDoesNotAffectTheOthers() {
        String other = """
                subject= /CN=an older one
                -----BEGIN CERTIFICATE-----
                bm90IG9uZQ==
                -----END CERTIFICATE-----
                -----BEGIN X509 CRL-----
                bm90IG9uZQ==
                -----END X509 CRL-----
                """;
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("127.0.0.1"), 3);
                TestCluster cluster = TestCluster.of(server)
                        .access(trusting(
                                server.access(),
                                server.access().authorities().map(other::concat),
                                Optional.empty(),
                                false))
                        .start()) {
            cluster.awaitEqual();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CERTIFICATE, the server's certificate authority cannot be read: ",
        "X509 CRL, the server's certificate authority holds no certificate; it must be PEM"
    })
    void reportsAnAuthorityWithoutAnyCertificate(String kind, String problem) {
        String pem = "-----BEGIN " + kind + "-----\nbm90IG9uZQ==\n-----END " + kind + "-----\n";
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls("127.0.0.1"), 3);
                TestCluster cluster = TestCluster.of(server)
                        .access(trusting(server.access(), Optional.of(pem), Optional.empty(), false))
                        .start()) {
            await().untilAsserted(() -> assertThat(cluster.source().status().failure())
                    .hasValueSatisfying(failure -> assertThat(failure.what()).contains(problem)));
        }
    }

    private static ClusterAccess trusting(
            ClusterAccess server, Optional<String> authorities, Optional<String> name, boolean insecure) {
        return new ClusterAccess(true, server.host(), server.port(), "", authorities, name, insecure, Optional.empty());
    }

    private static Credentials certificate(ClientCertificate certificate) {
        return new Credentials() {
            @Override
            public Optional<String> authorization() {
                return Optional.empty();
            }

            @Override
            public Optional<ClientCertificate> certificate() {
                return Optional.of(certificate);
            }

            @Override
            public void refused() {}
        };
    }
}
