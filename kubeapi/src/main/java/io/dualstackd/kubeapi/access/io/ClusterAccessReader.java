package io.dualstackd.kubeapi.access.io;

import io.dualstackd.kubeapi.access.AccessException;
import io.dualstackd.kubeapi.access.AccessSources;
import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.Identity;
import io.dualstackd.kubeapi.access.Kubeconfig;
import io.dualstackd.kubeapi.access.KubeconfigFile;
import io.dualstackd.kubeapi.access.Pem;
import io.dualstackd.kubeapi.access.SelectedContext;
import io.dualstackd.kubeapi.access.ServerUrl;
import io.dualstackd.kubeapi.client.ClusterSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The address of the API server and the credentials of this process.
 *
 * @param access address of the API server
 * @param credentials credentials of this process
 */
public record ClusterAccessReader(ClusterAccess access, Credentials credentials) {
    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /**
     * Finds and reads the source: the kubeconfig of the settings, else the files of {@code KUBECONFIG}, else the server of the settings,
     * else the in-cluster environment that the kubelet sets up in each pod.
     *
     * @throws AccessException if the source is invalid or missing; the message is for the user
     */
    public static ClusterAccessReader find(ClusterSettings settings, Map<String, String> environment)
            throws AccessException {
        return find(settings, environment, SERVICE_ACCOUNT, InstantSource.system());
    }

    /**
     * As above, elsewhere.
     *
     * @param serviceAccount the folder with what the kubelet gives each pod
     */
    public static ClusterAccessReader find(
            ClusterSettings settings, Map<String, String> environment, Path serviceAccount, InstantSource clock)
            throws AccessException {
        return switch (AccessSources.find(settings.kubeconfig(), settings.master(), environment)) {
            case AccessSources.InCluster(String host, int port) ->
                inCluster(new ServerUrl(true, host, port, ""), serviceAccount, clock);
            case AccessSources.OnlyMaster(String master) -> of(Kubeconfig.only(master), environment, clock);
            case AccessSources.Files files -> of(Kubeconfig.of(read(files)).choose(files.master()), environment, clock);
        };
    }

    private static ClusterAccessReader inCluster(ServerUrl server, Path account, InstantSource clock)
            throws AccessException {
        AuthorityFile authorities =
                authorityFile(account.resolve("ca.crt").toString(), "the service account's certificate authority");
        TokenFile token = new TokenFile(account.resolve("token"), Optional.empty(), clock);
        try {
            token.authorization();
        } catch (IOException e) {
            throw new AccessException(e.getMessage() + "; does the pod mount its service account's token "
                    + "(automountServiceAccountToken)?");
        }
        ClusterAccess access = new ClusterAccess(
                true,
                server.host(),
                server.port(),
                "",
                Optional.of(authorities.read()),
                Optional.empty(),
                false,
                Optional.empty());
        return new ClusterAccessReader(access, new UserCredentials(token, Optional.empty(), Optional.of(authorities)));
    }

    private static List<KubeconfigFile> read(AccessSources.Files files) throws AccessException {
        List<KubeconfigFile> texts = new ArrayList<>();
        for (String name : files.paths()) {
            Path path = Path.of(name).toAbsolutePath();
            try {
                texts.add(new KubeconfigFile(path.toString(), Files.readString(path)));
            } catch (NoSuchFileException e) {
                if (files.mustExist()) {
                    throw new AccessException("kubeconfig " + path + ": there is no such file");
                }
            } catch (IOException e) {
                throw new AccessException("kubeconfig " + path + ": cannot be read: " + e.getMessage());
            }
        }
        if (texts.isEmpty()) {
            throw new AccessException("KUBECONFIG: none of these files exists: " + String.join(", ", files.paths()));
        }
        return texts;
    }

    private static ClusterAccessReader of(
            SelectedContext selectedContext, Map<String, String> environment, InstantSource clock)
            throws AccessException {
        ServerUrl server = selectedContext.server();
        Optional<AuthorityFile> authorities = selectedContext.authorities() instanceof Pem.File(String path)
                ? Optional.of(authorityFile(path, "certificate-authority"))
                : Optional.empty();
        ClusterAccess access = new ClusterAccess(
                server.secure(),
                server.host(),
                server.port(),
                server.path(),
                authorities.map(AuthorityFile::read).or(() -> inText(selectedContext.authorities())),
                selectedContext.serverName(),
                selectedContext.insecure(),
                selectedContext.proxy());
        Optional<CertificateFiles> files = certificate(selectedContext);
        UserCredentials.Header header = switch (selectedContext.identity()) {
            case Identity.Anonymous() -> UserCredentials.Header.NONE;
            case Identity.Token(String token) -> UserCredentials.Header.fixed("Bearer " + token);
            case Identity.TokenFile(String path, Optional<String> until) -> new TokenFile(Path.of(path), until, clock);
            case Identity.Password(String name, String password) -> UserCredentials.Header.basic(name, password);
            case Identity.Exec(var config) -> new ExecPlugin(config, access, environment, clock);
        };
        return new ClusterAccessReader(access, new UserCredentials(header, files, authorities));
    }

    private static Optional<CertificateFiles> certificate(SelectedContext selectedContext) throws AccessException {
        if (selectedContext.certificate() instanceof Pem.None) {
            return Optional.empty();
        }
        CertificateFiles files = new CertificateFiles(selectedContext.certificate(), selectedContext.key());
        try {
            files.read();
        } catch (IOException e) {
            throw new AccessException(String.valueOf(e.getMessage()));
        }
        return Optional.of(files);
    }

    private static Optional<String> inText(Pem pem) {
        return pem instanceof Pem.Text(String text) ? Optional.of(text) : Optional.empty();
    }

    private static AuthorityFile authorityFile(String path, String what) throws AccessException {
        try {
            return new AuthorityFile(Path.of(path), what);
        } catch (IOException e) {
            throw new AccessException(String.valueOf(e.getMessage()));
        }
    }
}
