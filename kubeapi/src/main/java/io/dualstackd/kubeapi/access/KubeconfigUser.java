package io.dualstackd.kubeapi.access;

import io.dualstackd.kubeapi.tree.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** {@code user} of an entry of {@code users}. */
record KubeconfigUser(Identity identity, Pem certificate, Pem key) {
    static final KubeconfigUser ANONYMOUS =
            new KubeconfigUser(new Identity.Anonymous(), new Pem.None(), new Pem.None());

    private static final List<String> IMPERSONATION = List.of("as", "as-uid", "as-groups", "as-user-extra");
    private static final List<String> EXEC_VERSIONS =
            List.of("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1");

    static KubeconfigUser read(Field user, KubeconfigFile file) throws AccessException {
        for (String name : IMPERSONATION) {
            user.field(name)
                    .ifPresent(f -> f.refuse("impersonation is not supported; use a user with the rights of its own"));
        }
        user.field("auth-provider")
                .ifPresent(f ->
                        f.refuse("was removed from Kubernetes in 1.26; use exec with the plugin of your provider"));
        Pem certificate = KubeconfigFields.pem(user, "client-certificate", file);
        Pem key = KubeconfigFields.pem(user, "client-key", file);
        if (certificate instanceof Pem.None != key instanceof Pem.None) {
            user.refuseMissing(
                    certificate instanceof Pem.None ? "client-certificate" : "client-key",
                    "client-certificate and client-key go together, each as a file or as data");
        }
        KubeconfigUser part = new KubeconfigUser(identity(user, file), certificate, key);
        Kubeconfig.check(user.problemCollector());
        return part;
    }

    private static Identity identity(Field user, KubeconfigFile file) {
        Optional<String> token = KubeconfigFields.secret(user, "token");
        Optional<String> tokenFile = KubeconfigFields.text(user, "tokenFile");
        Optional<String> name = KubeconfigFields.text(user, "username");
        Optional<String> password = KubeconfigFields.secret(user, "password");
        Optional<Field> exec = user.object("exec");
        List<Identity> found = new ArrayList<>();
        if (tokenFile.isPresent()) {
            found.add(new Identity.TokenFile(file.resolve(tokenFile.get()), token));
        } else {
            token.ifPresent(text -> found.add(new Identity.Token(text)));
        }
        if (name.isPresent() || password.isPresent()) {
            found.add(new Identity.Password(name.orElse(""), password.orElse("")));
        }
        Optional<ExecConfig> plugin = exec.map(f -> exec(f, file));
        if (found.isEmpty()) {
            // As in client-go, a plugin is not asked where a token or a name is given.
            plugin.ifPresent(config -> found.add(new Identity.Exec(config)));
        }
        if (found.size() > 1) {
            user.problemCollector()
                    .refuse(
                            user.tree().line(),
                            user.path(),
                            "",
                            "gives " + found.size() + " ways to authenticate (token, username); only one is allowed");
        }
        return found.isEmpty() ? new Identity.Anonymous() : found.getFirst();
    }

    private static ExecConfig exec(Field exec, KubeconfigFile file) {
        String version = exec.textOrEmpty("apiVersion");
        if (!EXEC_VERSIONS.contains(version)) {
            String rule = "must be one of " + String.join(", ", EXEC_VERSIONS);
            exec.field("apiVersion").ifPresentOrElse(f -> f.refuse(rule), () -> exec.refuseMissing("apiVersion", rule));
        }
        String command = exec.textOrEmpty("command");
        if (command.isEmpty()) {
            exec.refuseMissing("command", "required: a program that prints an ExecCredential");
        }
        interactiveMode(exec, version);
        Map<String, String> environment = new TreeMap<>();
        for (Field variable : exec.objects("env")) {
            String name = variable.textOrEmpty("name");
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                variable.refuseMissing("name", "must be the name of a variable");
            }
            environment.put(name, KubeconfigFields.secret(variable, "value").orElse(""));
        }
        return new ExecConfig(
                version,
                command.indexOf('/') >= 0 ? file.resolve(command) : command,
                exec.texts("args").stream().map(Field::raw).toList(),
                environment,
                exec.textOrEmpty("installHint"),
                exec.bool("provideClusterInfo").orElse(false));
    }

    /** Checks {@code interactiveMode}: a daemon has no terminal, so a program that requires one is refused. */
    private static void interactiveMode(Field exec, String version) {
        Optional<Field> mode = exec.field("interactiveMode");
        switch (mode.map(Field::raw).orElse("")) {
            case "Never", "IfAvailable" -> {}
            case "Always" ->
                mode.ifPresent(
                        f -> f.refuse("a daemon has no terminal; use a plugin that works with Never or IfAvailable"));
            case "" -> {
                if (version.equals(EXEC_VERSIONS.getFirst())) {
                    exec.refuseMissing("interactiveMode", "required: Never, IfAvailable or Always");
                }
            }
            default -> mode.ifPresent(f -> f.refuse("must be one of Never, IfAvailable, Always"));
        }
    }
}
