package io.dualstackd.agent.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.ConfigReader;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.YamlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that systemd and Kubernetes read. That they work is shown by {@code bin/verify --dist}. */
@Tag("kernel")
final class PackagingTest {
    private static final Path ROOT = Path.of("..");

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private static List<Tree> yaml(String file) throws IOException {
        List<Tree> trees = new ArrayList<>();
        for (Document document : YamlText.documents(read(file))) {
            assertThat(document).as(file).isInstanceOf(Document.Parsed.class);
            trees.add(((Document.Parsed) document).tree());
        }
        return trees;
    }

    /** The value at a path of keys and positions. */
    private static Tree at(Tree tree, Object... path) {
        Tree here = tree;
        for (Object step : path) {
            here = switch (here) {
                case Tree.Mapping mapping -> {
                    assertThat(mapping.entries()).as("line %d", mapping.line()).containsKey(step.toString());
                    yield mapping.entries().get(step.toString());
                }
                case Tree.Sequence sequence -> sequence.items().get((Integer) step);
                case Tree.Scalar scalar -> throw new AssertionError("line " + scalar.line() + " has no " + step);
            };
        }
        return here;
    }

    private static String text(Tree tree, Object... path) {
        return ((Tree.Scalar) at(tree, path)).text();
    }

    private static List<String> texts(Tree tree, Object... path) {
        return ((Tree.Sequence) at(tree, path))
                .items().stream().map(item -> text(item)).toList();
    }

    @Test
    void theUnitIsHardened() throws Exception {
        Process analyze = new ProcessBuilder(
                        "systemd-analyze",
                        "security",
                        "--offline=true",
                        "--no-pager",
                        "--threshold=30",
                        ROOT.resolve("systemd/dualstackd.service").toRealPath().toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(analyze.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(analyze.waitFor()).as(output).isZero();
        assertThat(read("systemd/dualstackd.service").lines())
                .contains(
                        "Type=notify",
                        "CapabilityBoundingSet=CAP_NET_ADMIN CAP_NET_BIND_SERVICE",
                        "ReadWritePaths=-/etc/cni/net.d",
                        "SuccessExitStatus=143",
                        "Restart=always");
    }

    /** A container and a minimal host have the locale of POSIX, in which the JVM cannot name a file that is not ASCII. */
    @Test
    void namesOfFilesAreUtf8InEveryLocale(@TempDir Path folder) throws Exception {
        String start = "LC_ALL=C.UTF-8";
        for (String launcher : List.of("bin/dualstackd", "bin/runtime")) {
            String line = read(launcher)
                    .lines()
                    .filter(each -> each.contains(start))
                    .findFirst()
                    .orElse("")
                    // A launcher in another script.
                    .replace("\\$", "$");
            ProcessBuilder validation = new ProcessBuilder(
                            "sh",
                            "-c",
                            """
                            file=$(printf 's\\303\\244.yaml')
                            echo '{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}' >"$file"
                            java=$1 classes=$2
                            set -- validate "$file"
                            %s
                            exec "$java" -cp "$classes" io.dualstackd.agent.Main "$@"
                            """.formatted(line),
                            "sh",
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            System.getProperty("java.class.path"))
                    .directory(folder.toFile())
                    .redirectErrorStream(true);
            validation.environment().putAll(Map.of("LC_ALL", "POSIX", "LANG", "en_XX.UTF-8"));
            Process validate = validation.start();
            String output = new String(validate.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(validate.waitFor()).as(output).isZero();
            assertThat(output).contains("s\u00e4.yaml:1 ", "1 object in 1 file");
        }
        assertThat(read("bin/image")).contains("\"" + start + "\"");
    }

    @Test
    void theConfigurationsAreAccepted() throws Exception {
        String ofTheCluster = text(yaml("deploy/config.yaml").getFirst(), "data", "config.conf");
        for (String text : List.of(read("systemd/config.yaml"), ofTheCluster)) {
            ConfigResult result = ConfigReader.read(new ConfigReader.Input(
                    Optional.of(new ConfigReader.Source("config.yaml", text)), Optional.empty(), Map.of()));
            assertThat(result).isInstanceOf(ConfigResult.Usable.class);
            assertThat(((ConfigResult.Usable) result).warnings()).isEmpty();
        }
    }

    @Test
    void theDaemonMayChangeTheNetworkAndNothingElse() throws Exception {
        Tree pod = at(yaml("deploy/dualstackd.yaml").getFirst(), "spec", "template", "spec");
        Tree context = at(pod, "containers", 0, "securityContext");
        assertThat(text(context, "privileged")).isEqualTo("false");
        assertThat(text(context, "allowPrivilegeEscalation")).isEqualTo("false");
        assertThat(text(context, "readOnlyRootFilesystem")).isEqualTo("true");
        assertThat(texts(context, "capabilities", "drop")).containsExactly("ALL");
        assertThat(texts(context, "capabilities", "add")).containsExactly("NET_ADMIN", "NET_BIND_SERVICE");
        assertThat(text(context, "seccompProfile", "type")).isEqualTo("RuntimeDefault");
        assertThat(text(pod, "hostNetwork")).isEqualTo("true");
        assertThat(((Tree.Mapping) pod).entries()).doesNotContainKeys("hostPID", "hostIPC");
        assertThat(((Tree.Sequence) at(pod, "volumes"))
                        .items().stream()
                                .filter(volume ->
                                        ((Tree.Mapping) volume).entries().containsKey("hostPath"))
                                .map(volume -> text(volume, "hostPath", "path")))
                .as("its own state, which the next pod goes on from")
                .containsExactly("/var/lib/dualstackd");
        List<String> usual = texts(pod, "containers", 0, "args");
        assertThat(texts(pod, "initContainers", 0, "args"))
                .as("privileged, and ends")
                .startsWith(usual.toArray(String[]::new))
                .endsWith("--init-only");
        assertThat(text(pod, "initContainers", 0, "image")).isEqualTo(text(pod, "containers", 0, "image"));
    }

    /** Of IPv6-first clusters, too, where kubeadm's configuration moves the metrics to {@code [::1]}. */
    @Test
    void theKubeletAsksWhereTheDaemonListensInEitherFamily() throws Exception {
        Tree container = at(yaml("deploy/dualstackd.yaml").getFirst(), "spec", "template", "spec", "containers", 0);
        for (String probe : List.of("livenessProbe", "readinessProbe")) {
            Tree get = at(container, probe, "httpGet");
            assertThat(text(get, "port")).as(probe).isEqualTo("10256");
            assertThat(((Tree.Mapping) get).entries()).as(probe).doesNotContainKey("host");
        }
    }

    @Test
    void itMayDoWhatKubeProxyMayDo() throws Exception {
        List<Tree> usual = yaml("deploy/rbac.yaml");
        assertThat(usual)
                .extracting(tree -> text(tree, "kind"))
                .containsExactly("ServiceAccount", "ClusterRoleBinding");
        assertThat(text(usual.getLast(), "roleRef", "name")).isEqualTo("system:node-proxier");
        for (String more : List.of("deploy/rbac-node-addresses.yaml", "deploy/rbac-pod-ips.yaml")) {
            assertThat(texts(yaml("deploy/kustomization.yaml").getFirst(), "resources"))
                    .doesNotContain(more.substring("deploy/".length()));
            for (Tree rule : ((Tree.Sequence) at(yaml(more).getFirst(), "rules")).items()) {
                assertThat(texts(rule, "verbs")).isSubsetOf("get", "list", "watch", "patch");
                assertThat(texts(rule, "resources")).isSubsetOf("nodes", "nodes/status", "pods", "pods/status");
            }
        }
    }

    /** RBAC lets the token of one node write all Nodes and all pods' statuses; the policy is what keeps it to its own. */
    @Test
    void extraWritePermissionsAreBoundToTheNode() throws Exception {
        List<Tree> both = yaml("deploy/admission-own-node.yaml");
        assertThat(both)
                .extracting(tree -> text(tree, "kind"))
                .containsExactly("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding");
        assertThat(both).extracting(tree -> text(tree, "apiVersion")).containsOnly("admissionregistration.k8s.io/v1");
        Tree policy = at(both.getFirst(), "spec");
        Tree binding = at(both.getLast(), "spec");
        assertThat(text(binding, "policyName")).isEqualTo(text(both.getFirst(), "metadata", "name"));
        assertThat(texts(binding, "validationActions")).containsExactly("Deny");
        assertThat(text(policy, "failurePolicy")).isEqualTo("Fail");

        Tree account = yaml("deploy/rbac.yaml").getFirst();
        assertThat(text(policy, "matchConditions", 0, "expression"))
                .isEqualTo("request.userInfo.username == 'system:serviceaccount:%s:%s'"
                        .formatted(text(account, "metadata", "namespace"), text(account, "metadata", "name")));
        assertThat(text(policy, "variables", 0, "expression"))
                .contains("request.userInfo.extra['authentication.kubernetes.io/node-name']");

        List<String> written = new ArrayList<>();
        for (String more : List.of("deploy/rbac-node-addresses.yaml", "deploy/rbac-pod-ips.yaml")) {
            for (Tree rule : ((Tree.Sequence) at(yaml(more).getFirst(), "rules")).items()) {
                if (texts(rule, "verbs").contains("patch")) {
                    written.addAll(texts(rule, "resources"));
                }
            }
        }
        assertThat(texts(policy, "matchConstraints", "resourceRules", 0, "resources"))
                .containsExactlyInAnyOrderElementsOf(written);
        assertThat(texts(policy, "matchConstraints", "resourceRules", 0, "operations"))
                .contains("UPDATE");
        List<String> rules = ((Tree.Sequence) at(policy, "validations"))
                .items().stream().map(rule -> text(rule, "expression")).toList();
        String node = "variables." + text(policy, "variables", 0, "name");
        assertThat(rules).allSatisfy(rule -> assertThat(rule).contains(node));
        for (String resource : List.of("nodes", "pods")) {
            assertThat(rules)
                    .anySatisfy(rule ->
                            assertThat(rule).startsWith("request.resource.resource != '%s' || ".formatted(resource)));
        }
        assertThat(read("docs/replace-kube-proxy.md")).contains("`admission-own-node.yaml`");
    }

    /** Its API server is an example: it must not replace a copy of kube-proxy's ConfigMap. */
    @Test
    void theExampleConfigurationIsAppliedOnPurposeOnly() throws Exception {
        assertThat(texts(yaml("deploy/kustomization.yaml").getFirst(), "resources"))
                .contains("dualstackd.yaml")
                .doesNotContain("config.yaml");
    }

    @Test
    void everythingNamedIsThere() throws Exception {
        for (String resource : texts(yaml("deploy/kustomization.yaml").getFirst(), "resources")) {
            assertThat(ROOT.resolve("deploy").resolve(resource)).exists();
        }
        try (Stream<Path> files = Files.list(ROOT.resolve("deploy"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).toList()) {
                assertThat(yaml("deploy/" + file.getFileName()))
                        .as(file.toString())
                        .isNotEmpty();
            }
        }
    }
}
