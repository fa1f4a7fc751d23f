package io.dualstackd.kubeapi.access;

import io.dualstackd.kubeapi.tree.Field;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code cluster} of an entry of {@code clusters}.
 *
 * @param server as written, with its place; absent only when the server's address comes from elsewhere
 */
record KubeconfigCluster(
        Optional<Field> server,
        Pem authorities,
        Optional<String> serverName,
        boolean insecure,
        Optional<String> proxy) {
    static final KubeconfigCluster NOTHING =
            new KubeconfigCluster(Optional.empty(), new Pem.None(), Optional.empty(), false, Optional.empty());

    private static final Pattern PROXY = Pattern.compile("(?i)(https?|socks5)://[^\\s/?#]+/?");

    static KubeconfigCluster read(Field cluster, KubeconfigFile file) throws AccessException {
        Optional<Field> server = cluster.field("server")
                .filter(f -> f.asText().filter(t -> !t.isEmpty()).isPresent());
        Pem authorities = KubeconfigFields.pem(cluster, "certificate-authority", file);
        boolean insecure = cluster.bool("insecure-skip-tls-verify").orElse(false);
        if (insecure && !(authorities instanceof Pem.None)) {
            cluster.field("insecure-skip-tls-verify")
                    .ifPresent(
                            f -> f.refuse("makes no sense together with certificate-authority; remove one of the two"));
        }
        Optional<String> proxy = KubeconfigFields.text(cluster, "proxy-url");
        if (proxy.isPresent() && !PROXY.matcher(proxy.get()).matches()) {
            // The URL may hold a password.
            cluster.field("proxy-url")
                    .ifPresent(f -> f.problemCollector()
                            .refuse(
                                    f.tree().line(),
                                    f.path(),
                                    "",
                                    "must be http://host:port, https://host:port or socks5://host:port"));
        }
        KubeconfigCluster part = new KubeconfigCluster(
                server, authorities, KubeconfigFields.text(cluster, "tls-server-name"), insecure, proxy);
        Kubeconfig.check(cluster.problemCollector());
        return part;
    }

    SelectedContext with(Optional<String> master, KubeconfigUser user) throws AccessException {
        boolean tls = insecure
                || !(authorities instanceof Pem.None)
                || !(user.certificate() instanceof Pem.None)
                || !(user.identity() instanceof Identity.Anonymous);
        ServerUrl url;
        if (master.isPresent()) {
            url = master(master.get(), tls);
        } else {
            Field written =
                    server.orElseThrow(() -> new AccessException("clusters: the cluster in force has no server"));
            url = url(written, tls);
        }
        // As in client-go: the name is that of the server in the file.
        return new SelectedContext(
                url,
                authorities,
                master.isPresent() ? Optional.empty() : serverName,
                insecure,
                proxy,
                user.identity(),
                user.certificate(),
                user.key());
    }

    private static ServerUrl url(Field written, boolean tls) throws AccessException {
        try {
            return ServerUrl.parse(written.raw(), tls);
        } catch (IllegalArgumentException e) {
            written.refuse(String.valueOf(e.getMessage()));
            Kubeconfig.check(written.problemCollector());
            throw new IllegalStateException("a refusal was just noted", e);
        }
    }

    /** {@code --master}. */
    static ServerUrl master(String text, boolean tls) throws AccessException {
        try {
            return ServerUrl.parse(text, tls);
        } catch (IllegalArgumentException e) {
            throw new AccessException("--master: \"" + text + "\": " + e.getMessage());
        }
    }
}
