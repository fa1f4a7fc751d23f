package io.dualstackd.kubeapi.access.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.kubeapi.access.AccessException;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are read, and read again. */
final class ClusterAccessReaderTest {
    private static final Map<String, String> POD =
            Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443");
    private static final String PEM = "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n";

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final InstantSource clock = () -> now;

    private static ClusterSettings settings(Optional<String> kubeconfig) {
        return new ClusterSettings(kubeconfig, Optional.empty(), WireFormat.PROTOBUF, 5, 10);
    }

    private ClusterAccessReader inCluster() throws AccessException {
        return ClusterAccessReader.find(settings(Optional.empty()), POD, folder, clock);
    }

    private ClusterAccessReader withUser(String user) throws AccessException, IOException {
        Path config = folder.resolve("config");
        Files.writeString(config, """
                current-context: c
                contexts: [{name: c, context: {cluster: k, user: u}}]
                clusters: [{name: k, cluster: {server: "https://h:6443"}}]
                users: [{name: u, user: %s}]
                """.formatted(user));
        return ClusterAccessReader.find(
                settings(Optional.of(config.toString())), Map.of("PATH", "/usr/bin:/bin"), folder, clock);
    }

    /** As the kubelet does it: a link to the folder of the day is replaced. */
    @Test
    void theAuthorityOfAPodIsReadAgain() throws Exception {
        Path first = Files.createDirectory(folder.resolve("..first"));
        Path second = Files.createDirectory(folder.resolve("..second"));
        Files.writeString(first.resolve("ca.crt"), PEM.formatted("a"));
        Files.writeString(second.resolve("ca.crt"), PEM.formatted("b"));
        Path data = Files.createSymbolicLink(folder.resolve("..data"), first);
        Files.createSymbolicLink(folder.resolve("ca.crt"), Path.of("..data/ca.crt"));
        Files.writeString(folder.resolve("token"), "t");
        ClusterAccessReader entrance = inCluster();
        assertThat(entrance.credentials().authorities()).contains(PEM.formatted("a"));

        Files.delete(data);
        assertThat(entrance.credentials().authorities())
                .as("held while it is replaced")
                .contains(PEM.formatted("a"));
        Files.createSymbolicLink(data, second);
        assertThat(entrance.credentials().authorities()).contains(PEM.formatted("b"));

        Files.writeString(second.resolve("ca.crt"), "half");
        assertThat(entrance.credentials().authorities()).contains(PEM.formatted("b"));
    }

    @Test
    void aPodFindsEverythingInItsFileSystem() throws Exception {
        Files.writeString(folder.resolve("ca.crt"), PEM.formatted("a"));
        Files.writeString(folder.resolve("token"), "first\n");
        ClusterAccessReader entrance = inCluster();

        assertThat(entrance.access().url()).isEqualTo("https://[fd00::1]:6443");
        assertThat(entrance.access().authorities()).contains(PEM.formatted("a"));
        assertThat(entrance.credentials().authorization()).contains("Bearer first");

        Files.writeString(folder.resolve("token"), "second");
        assertThat(entrance.credentials().authorization()).contains("Bearer first");
        entrance.credentials().refused();
        assertThat(entrance.credentials().authorization()).contains("Bearer second");

        Files.writeString(folder.resolve("token"), "third");
        now = now.plus(Duration.ofSeconds(61));
        assertThat(entrance.credentials().authorization()).contains("Bearer third");

        Files.delete(folder.resolve("token"));
        entrance.credentials().refused();
        assertThat(entrance.credentials().authorization())
                .as("held while it is replaced")
                .contains("Bearer third");
    }

    /** As on a machine whose clock was ahead at its start. */
    @Test
    void aTokenIsReadAgainAlsoWhenTheClockWasSetBack() throws Exception {
        Files.writeString(folder.resolve("ca.crt"), PEM.formatted("a"));
        Files.writeString(folder.resolve("token"), "first");
        ClusterAccessReader entrance = inCluster();
        now = now.minus(Duration.ofDays(365));
        Files.writeString(folder.resolve("token"), "second");
        assertThat(entrance.credentials().authorization()).contains("Bearer second");
        Files.writeString(folder.resolve("token"), "third");
        assertThat(entrance.credentials().authorization()).contains("Bearer second");
        now = now.plus(Duration.ofSeconds(61));
        assertThat(entrance.credentials().authorization()).contains("Bearer third");
    }

    @Test
    void reportsMissingPodCredentials() throws IOException {
        assertThatThrownBy(this::inCluster)
                .hasMessage("the service account's certificate authority " + folder + "/ca.crt: there is no such file");
        Files.writeString(folder.resolve("ca.crt"), "no");
        assertThatThrownBy(this::inCluster).hasMessageEndingWith("must be PEM, but there is no -----BEGIN in it");
        Files.writeString(folder.resolve("ca.crt"), PEM.formatted("a"));
        assertThatThrownBy(this::inCluster)
                .hasMessage("token file " + folder + "/token: there is no such file; does the pod mount its service "
                        + "account's token (automountServiceAccountToken)?");
        Files.writeString(folder.resolve("token"), " \n");
        assertThatThrownBy(this::inCluster).hasMessageContaining("token: is empty");
        Files.writeString(folder.resolve("token"), "two words");
        assertThatThrownBy(this::inCluster).hasMessageContaining("must be one token on one line");
    }

    @Test
    void filesThatAreNotThere() {
        Map<String, String> list = Map.of("KUBECONFIG", folder + "/a:" + folder + "/b");
        assertThatThrownBy(() -> ClusterAccessReader.find(settings(Optional.empty()), list, folder, clock))
                .hasMessage("KUBECONFIG: none of these files exists: " + folder + "/a, " + folder + "/b");
        assertThatThrownBy(() -> ClusterAccessReader.find(settings(Optional.of(folder + "/a")), POD, folder, clock))
                .hasMessage("kubeconfig " + folder + "/a: there is no such file");
    }

    @Test
    void certificatesAreReadAgainWhenTheyChange() throws Exception {
        Path certificate = folder.resolve("c.pem");
        Files.writeString(certificate, PEM.formatted("one"));
        Files.writeString(folder.resolve("k.pem"), PEM.formatted("key"));
        Credentials credentials =
                withUser("{client-certificate: c.pem, client-key: k.pem}").credentials();
        assertThat(credentials.certificate().orElseThrow().chain()).contains("one");

        Files.writeString(folder.resolve("next"), PEM.formatted("two and more"));
        Files.move(folder.resolve("next"), certificate, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(credentials.certificate().orElseThrow().chain()).contains("two and more");

        Files.delete(certificate);
        assertThat(credentials.certificate().orElseThrow().chain()).contains("two and more");
        assertThat(credentials.authorization()).isEmpty();
        assertThatThrownBy(() -> withUser("{client-certificate: c.pem, client-key: k.pem}"))
                .hasMessage("client-certificate " + certificate + ": there is no such file");
    }

    @Test
    void aPasswordIsSentAsBasic() throws Exception {
        assertThat(withUser("{username: Aladdin, password: \"open sesame\"}")
                        .credentials()
                        .authorization())
                .contains("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    }

    private String plugin(String script) throws IOException {
        Path program = folder.resolve("plugin");
        Files.writeString(program, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, args: [x], interactiveMode: Never, "
                + "provideClusterInfo: true, installHint: 'get the plugin', env: [{name: WHO, value: me}]}}";
    }

    private static String answer(String status) {
        return "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":" + status
                + "}";
    }

    @Test
    void execCredentialIsReusedUntilItExpires() throws Exception {
        String user = plugin("echo \"$KUBERNETES_EXEC_INFO\" > " + folder + "/info; echo asked >> " + folder
                + "/count\n"
                + "cat <<END\n"
                + answer("{\"token\":\"$WHO-$1\",\"expirationTimestamp\":\"2026-01-02T04:00:00Z\"}") + "\nEND\n");
        Credentials credentials = withUser(user).credentials();

        assertThat(credentials.authorization()).contains("Bearer me-x");
        assertThat(credentials.authorization()).contains("Bearer me-x");
        assertThat(credentials.certificate()).isEmpty();
        assertThat(Files.readAllLines(folder.resolve("count"))).hasSize(1);
        assertThat(Files.readString(folder.resolve("info")))
                .isEqualTo("{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"spec\":"
                        + "{\"interactive\":false,\"cluster\":{\"server\":\"https://h:6443\"}}}\n");
        credentials.refused();
        assertThat(credentials.authorization()).contains("Bearer me-x");
        assertThat(Files.readAllLines(folder.resolve("count"))).hasSize(2);
        now = Instant.parse("2026-01-02T04:00:01Z");
        // By this clock; the server's may be right, and decides. It is not kept.
        assertThat(credentials.authorization()).contains("Bearer me-x");
        assertThat(credentials.authorization()).contains("Bearer me-x");
        assertThat(Files.readAllLines(folder.resolve("count"))).hasSize(4);
    }

    @Test
    void aProgramMayGiveACertificate() throws Exception {
        Credentials credentials = withUser(
                        plugin("echo '" + answer("{\"clientCertificateData\":\"C\",\"clientKeyData\":\"K\"}") + "'\n"))
                .credentials();
        assertThat(credentials.certificate().orElseThrow().chain()).isEqualTo("C");
        assertThat(credentials.authorization()).isEmpty();
    }

    @Test
    void reportsFailureOfExecPlugin() throws Exception {
        assertThatThrownBy(withUser(plugin("echo no idea >&2; exit 3\n")).credentials()::authorization)
                .hasMessage("exec plugin " + folder + "/./plugin: ended with 3: no idea");
        assertThatThrownBy(withUser(plugin("echo '{}'\n")).credentials()::authorization)
                .hasMessageContaining("kind: \"\": must be ExecCredential");
        assertThatThrownBy(withUser(plugin("echo '" + answer("{}") + "'\n")).credentials()::authorization)
                .hasMessageContaining("status: must hold token, or clientCertificateData and clientKeyData");
        assertThatThrownBy(withUser(plugin("echo '" + answer("{}").replace("v1", "v1beta1") + "'\n"))
                        .credentials()::authorization)
                .hasMessageContaining("must be client.authentication.k8s.io/v1, as the kubeconfig says");
        String user = plugin("");
        Files.delete(folder.resolve("plugin"));
        assertThatThrownBy(withUser(user).credentials()::authorization)
                .hasMessageContaining("cannot be started")
                .hasMessageEndingWith("get the plugin");
    }
}
