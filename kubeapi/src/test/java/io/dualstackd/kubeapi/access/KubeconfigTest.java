package io.dualstackd.kubeapi.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from kubeconfigs, and the messages for mistakes in them. */
final class KubeconfigTest {
    private static final String PEM = "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n";
    private static final String DATA = Base64.getEncoder().encodeToString(PEM.getBytes(StandardCharsets.UTF_8));

    private static final String SOUND = """
            apiVersion: v1
            kind: Config
            current-context: c
            contexts:
            - name: c
              context: {cluster: k, user: u, namespace: x}
            - name: broken
              context: {cluster: missing}
            clusters:
            - name: k
              cluster:
                server: https://[fd00::1]:6443/prefix/
                certificate-authority: pki/ca.crt
                tls-server-name: kubernetes
                proxy-url: http://proxy:3128
            users:
            - name: u
              user:
                tokenFile: token
            - name: other
              user: {auth-provider: {name: gcp}}
            """;

    private static SelectedContext choose(String text) throws AccessException {
        return Kubeconfig.of(List.of(new KubeconfigFile("/etc/k/config", text))).choose(Optional.empty());
    }

    @Test
    void everythingIsRead() throws AccessException {
        assertThat(choose(SOUND))
                .isEqualTo(new SelectedContext(
                        new ServerUrl(true, "fd00::1", 6443, "/prefix"),
                        new Pem.File("/etc/k/pki/ca.crt"),
                        Optional.of("kubernetes"),
                        false,
                        Optional.of("http://proxy:3128"),
                        new Identity.TokenFile("/etc/k/token", Optional.empty()),
                        new Pem.None(),
                        new Pem.None()));
    }

    @Test
    void anotherServerMayBeNamed() throws AccessException {
        Kubeconfig config = Kubeconfig.of(List.of(new KubeconfigFile("/etc/k/config", SOUND)));
        assertThat(config.choose(Optional.of("10.0.0.1:8443")).server()).hasToString("https://10.0.0.1:8443");
        assertThat(config.choose(Optional.of("10.0.0.1:8443")).serverName())
                .as("that of the server in the file")
                .isEmpty();
        assertThat(Kubeconfig.only("localhost:8080").server()).hasToString("http://localhost:8080");
        assertThatThrownBy(() -> config.choose(Optional.of("ftp://x")))
                .hasMessage("--master: \"ftp://x\": must begin with https:// or http://");
    }

    /** As in client-go. */
    @Test
    void aPluginIsNotAskedWhereATokenIsGiven() throws AccessException {
        String both = "{token: t, exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: c}}";
        assertThat(choose(SOUND.replace("tokenFile: token", both)).identity()).isEqualTo(new Identity.Token("t"));
    }

    /** A proxy may know the server by its name only. */
    @ParameterizedTest
    @CsvSource({
        "true, h, 443, h",
        "true, h, 80, h:80",
        "false, h, 80, h",
        "true, fd00::1, 443, [fd00::1]",
        "true, fd00::1, 6443, [fd00::1]:6443"
    })
    void theHostHeaderLeavesTheUsualPortOut(boolean secure, String host, int port, String header) {
        assertThat(new ClusterAccess(
                                secure, host, port, "", Optional.empty(), Optional.empty(), false, Optional.empty())
                        .hostHeader())
                .isEqualTo(header);
    }

    @Test
    void jsonIsYamlToo() throws AccessException {
        assertThat(choose("""
                        {"current-context":"c","contexts":[{"name":"c","context":{"cluster":"k","user":""}}],
                         "clusters":[{"name":"k","cluster":{"server":"http://h"}}]}
                        """).server()).hasToString("http://h:80");
    }

    @Test
    void theFirstFileWins() throws AccessException {
        String second = """
                current-context: d
                contexts: [{name: c, context: {cluster: bad}}, {name: d, context: {cluster: bad}}]
                users: [{name: u, user: {token: later}}, {name: late, user: {token: t}}]
                """;
        Kubeconfig config =
                Kubeconfig.of(List.of(new KubeconfigFile("/a/config", SOUND), new KubeconfigFile("/b/config", second)));
        assertThat(config.choose(Optional.empty()).identity())
                .isEqualTo(new Identity.TokenFile("/a/token", Optional.empty()));
    }

    /** Separated by {@code |}: what is replaced in a sound file, by what, and what the message is. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            current-context: c | # | /etc/k/config: current-context is not set; contexts has c, broken
            current-context: c | current-context: z | /etc/k/config:3: current-context: "z": there is no such entry; contexts has c, broken
            current-context: c | current-context: broken | /etc/k/config:8: contexts[1].context.cluster: "missing": there is no such entry; clusters has k
            cluster: k, user: u | user: u | /etc/k/config:6: contexts[0].context.cluster: required: the name of an entry of clusters
            cluster: k, user: u | cluster: k, user: w | /etc/k/config:6: contexts[0].context.user: "w": there is no such entry; users has u, other
            cluster: k, user: u | cluster: k, user: other | /etc/k/config:21: users[1].user.auth-provider: was removed from Kubernetes in 1.26; use exec with the plugin of your provider
            https://[fd00::1]:6443/prefix/ | https://fd00::1:6443 | /etc/k/config:12: clusters[0].cluster.server: "https://fd00::1:6443": must be a URL as https://10.0.0.1:6443 or https://[fd00::1]:6443, without user, query or fragment
            https://[fd00::1]:6443/prefix/ | https://h:0 | /etc/k/config:12: clusters[0].cluster.server: "https://h:0": the port must be 1 to 65535
            http://proxy:3128 | proxy:3128 | /etc/k/config:15: clusters[0].cluster.proxy-url: must be http://host:port, https://host:port or socks5://host:port
            tls-server-name: kubernetes | insecure-skip-tls-verify: true | /etc/k/config:14: clusters[0].cluster.insecure-skip-tls-verify: "true": makes no sense together with certificate-authority; remove one of the two
            tls-server-name: kubernetes | certificate-authority-data: "!" | /etc/k/config:14: clusters[0].cluster.certificate-authority-data: must be PEM in base64: decoded there is no -----BEGIN
            tokenFile: token | token: 123 | /etc/k/config:19: users[0].user.token: must be a text; write it in quotes
            tokenFile: token | {token: t, username: n} | /etc/k/config:19: users[0].user: gives 2 ways to authenticate (token, username); only one is allowed
            tokenFile: token | as: admin | /etc/k/config:19: users[0].user.as: "admin": impersonation is not supported; use a user with the rights of its own
            tokenFile: token | client-key: k.pem | /etc/k/config:19: users[0].user.client-certificate: client-certificate and client-key go together, each as a file or as data
            tokenFile: token | exec: {apiVersion: v1, command: c} | /etc/k/config:19: users[0].user.exec.apiVersion: "v1": must be one of client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1
            tokenFile: token | exec: {apiVersion: client.authentication.k8s.io/v1, command: c} | /etc/k/config:19: users[0].user.exec.interactiveMode: required: Never, IfAvailable or Always
            tokenFile: token | exec: {apiVersion: client.authentication.k8s.io/v1beta1} | /etc/k/config:19: users[0].user.exec.command: required: a program that prints an ExecCredential
            tokenFile: token | exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: c, interactiveMode: Always} | /etc/k/config:19: users[0].user.exec.interactiveMode: "Always": a daemon has no terminal; use a plugin that works with Never or IfAvailable
            kind: Config | kind: Pod | /etc/k/config:2: kind: "Pod": must be Config
            name: broken | name: c | /etc/k/config:7: contexts[1].name: "c": another entry of this list has the same name
            - name: broken | - nome: broken | /etc/k/config:7: contexts[1].name: required
            """)
    void oneMessageForEachMistake(String from, String to, String message) {
        String text = SOUND.replace(from, to);
        assertThat(text).isNotEqualTo(SOUND);
        assertThatThrownBy(() -> choose(text))
                .isInstanceOf(AccessException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1", "a: b: c", "---\na: 1\n---\nb: 2\n", "just words"})
    void refusesInvalidKubeconfig(String text) {
        assertThatThrownBy(() -> choose(text))
                .isInstanceOf(AccessException.class)
                .hasMessageStartingWith("/etc/k/config");
    }

    @Test
    void usersSayWhoTheyAreInManyWays() throws AccessException {
        assertThat(user("{token: t}").identity()).isEqualTo(new Identity.Token("t"));
        assertThat(user("{token: t, tokenFile: /f}").identity())
                .isEqualTo(new Identity.TokenFile("/f", Optional.of("t")));
        assertThat(user("{username: n, password: p}").identity()).isEqualTo(new Identity.Password("n", "p"));
        SelectedContext certificate = user("{client-certificate: c.pem, client-key-data: " + DATA + "}");
        assertThat(certificate.certificate()).isEqualTo(new Pem.File("/etc/k/c.pem"));
        assertThat(certificate.key()).isEqualTo(new Pem.Text(PEM));
        assertThat(certificate.identity()).isEqualTo(new Identity.Anonymous());
        assertThat(user("""
                        {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/plugin, args: [a, b],
                        env: [{name: N, value: v}], interactiveMode: IfAvailable, provideClusterInfo: true, installHint: get it}}
                        """).identity())
                .isEqualTo(new Identity.Exec(new ExecConfig(
                        "client.authentication.k8s.io/v1",
                        "/etc/k/./bin/plugin",
                        List.of("a", "b"),
                        Map.of("N", "v"),
                        "get it",
                        true)));
        assertThat(user("{token: secret}").toString()).doesNotContain("secret");
    }

    private static SelectedContext user(String user) throws AccessException {
        return choose(SOUND.replace("    tokenFile: token\n", user.indent(4)));
    }

    @Test
    void thePlacesAreTriedInOrder() throws AccessException {
        Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");
        Optional<String> none = Optional.empty();
        assertThat(AccessSources.find(Optional.of("/f"), Optional.of("m"), pod))
                .isEqualTo(new AccessSources.Files(List.of("/f"), true, Optional.of("m")));
        assertThat(AccessSources.find(none, Optional.of("m"), pod)).isEqualTo(new AccessSources.OnlyMaster("m"));
        assertThat(AccessSources.find(none, none, Map.of("KUBECONFIG", "/a::/b")))
                .isEqualTo(new AccessSources.Files(List.of("/a", "/b"), false, none));
        assertThat(AccessSources.find(none, none, pod)).isEqualTo(new AccessSources.InCluster("fd00::1", 443));
        assertThatThrownBy(() -> AccessSources.find(none, none, Map.of()))
                .hasMessageContaining("--kubeconfig")
                .hasMessageContaining("KUBERNETES_SERVICE_HOST");
        assertThatThrownBy(() -> AccessSources.find(
                        none, none, Map.of("KUBERNETES_SERVICE_HOST", "h", "KUBERNETES_SERVICE_PORT", "x")))
                .hasMessage("KUBERNETES_SERVICE_PORT: \"x\": must be 1 to 65535");
    }
}
