package io.dualstackd.kubeapi.access;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.YamlText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Input and output of an exec plugin: {@code ExecCredential} of {@code client.authentication.k8s.io}. */
public final class ExecCredentialFormat {
    private ExecCredentialFormat() {}

    /**
     * The credentials that a plugin returned; secret, not included in the text form.
     *
     * @param expires when to run the plugin again; empty: when the server rejects the credentials
     */
    public record Answer(Optional<String> token, Optional<ClientCertificate> certificate, Optional<Instant> expires) {
        @Override
        public String toString() {
            return "credential" + expires.map(at -> " until " + at).orElse("");
        }
    }

    /** Returns the variable {@code KUBERNETES_EXEC_INFO}; {@code cluster} is included only for plugins that request it. */
    public static String question(ExecConfig config, ClusterAccess cluster) {
        Tree.Mapping spec = Tree.object("interactive", false);
        return JsonPrint.compact(Tree.object("apiVersion", config.apiVersion())
                .with("kind", "ExecCredential")
                .with("spec", config.provideClusterInfo() ? spec.with("cluster", cluster(cluster)) : spec));
    }

    private static Tree cluster(ClusterAccess cluster) {
        Optional<byte[]> pem = cluster.authorities().map(text -> text.getBytes(StandardCharsets.UTF_8));
        return Tree.object("server", cluster.url())
                .with("tls-server-name", cluster.serverName())
                .with("insecure-skip-tls-verify", cluster.insecure() ? Optional.of(true) : Optional.empty())
                .with("certificate-authority-data", pem.map(Base64.getEncoder()::encodeToString))
                .with("proxy-url", cluster.proxy());
    }

    /** @throws AccessException if the output is invalid; the message gives the reason, without anything secret */
    public static Answer answer(ExecConfig config, String printed) throws AccessException {
        String prefix = "exec plugin " + config.command() + ": ";
        List<Document> documents = YamlText.documents(printed);
        if (documents.size() != 1
                || !(documents.getFirst() instanceof Document.Parsed(int number, Tree.Mapping tree))) {
            throw new AccessException(prefix + "must print one ExecCredential in JSON");
        }
        Field top = new Field(tree, "", new ProblemCollector("", 0));
        String kind = top.field("kind").map(Field::raw).orElse("");
        String version = top.field("apiVersion").map(Field::raw).orElse("");
        if (!kind.equals("ExecCredential")) {
            throw new AccessException(prefix + "kind: \"" + kind + "\": must be ExecCredential");
        }
        if (!version.equals(config.apiVersion())) {
            throw new AccessException(prefix + "apiVersion: \"" + version + "\": must be " + config.apiVersion()
                    + ", as the kubeconfig says");
        }
        Optional<Field> status = top.object("status");
        if (status.isEmpty()) {
            throw new AccessException(
                    prefix + "status is missing: it must hold token, or clientCertificateData and clientKeyData");
        }
        return answer(status.get(), prefix);
    }

    private static Answer answer(Field status, String prefix) throws AccessException {
        Optional<String> token = KubeconfigFields.secret(status, "token");
        Optional<String> chain = KubeconfigFields.secret(status, "clientCertificateData");
        Optional<String> key = KubeconfigFields.secret(status, "clientKeyData");
        if (chain.isPresent() != key.isPresent()) {
            throw new AccessException(prefix + "status: clientCertificateData and clientKeyData go together");
        }
        if (token.isEmpty() && chain.isEmpty()) {
            throw new AccessException(prefix + "status: must hold token, or clientCertificateData and clientKeyData");
        }
        Optional<String> text = KubeconfigFields.text(status, "expirationTimestamp");
        Optional<Instant> expires = Optional.empty();
        if (text.isPresent()) {
            try {
                expires = Optional.of(Instant.parse(text.get()));
            } catch (DateTimeParseException e) {
                throw new AccessException(
                        prefix + "status.expirationTimestamp: \"" + text.get() + "\": must be a time (RFC 3339)");
            }
        }
        Optional<ClientCertificate> certificate =
                chain.flatMap(certificates -> key.map(secret -> new ClientCertificate(certificates, secret)));
        return new Answer(token, certificate, expires);
    }
}
