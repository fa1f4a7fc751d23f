package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.lab.LabPod;
import io.dualstackd.agent.lab.LabPodSpec;
import io.dualstackd.agent.lab.PodLab;
import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.cri.v1.DNSConfig;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine with containerd becomes a dual-stack node by the one command of {@code docs/standalone.md}, and its pods, with the DNS settings
 * of that page, find each other by name.
 */
@RealRuntime
@Tag("kernel")
final class LoneNodeTest {
    private static final Path PAGE = Path.of("..", "docs", "standalone.md");
    private static final Pattern BLOCK = Pattern.compile("```(\\w*)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    /** The blocks of code in the section: command, Service, pod, what is run in a pod. */
    private record Section(String command, String service, String pod, String inside) {
        static Section read() throws Exception {
            String page = Files.readString(PAGE);
            int start = page.indexOf("\n## A dual-stack node with one command\n");
            String section = page.substring(start, page.indexOf("\n## ", start + 1));
            List<String> blocks = BLOCK.matcher(section)
                    .results()
                    .map(block -> block.group(2))
                    .toList();
            assertThat(blocks).hasSize(4);
            return new Section(blocks.getFirst(), blocks.get(1), blocks.get(2), blocks.getLast());
        }

        /** The words after {@code dualstackd}, with the paths replaced. */
        List<String> arguments(Map<String, String> paths) {
            String[] words = command.replace("\\\n", " ").strip().split("\\s+", -1);
            assertThat(words)
                    .startsWith("sudo", "dualstackd")
                    .contains(paths.keySet().toArray(String[]::new));
            return Arrays.stream(words)
                    .skip(2)
                    .map(word -> paths.getOrDefault(word, word))
                    .toList();
        }

        DNSConfig dns() {
            Tree.Mapping config = (Tree.Mapping)
                    field(JsonTree.read(pod.getBytes(StandardCharsets.UTF_8)).orElseThrow(), "dns_config");
            return DNSConfig.newBuilder()
                    .addAllServers(texts(config, "servers"))
                    .addAllSearches(texts(config, "searches"))
                    .addAllOptions(texts(config, "options"))
                    .build();
        }

        private static List<String> texts(Tree.Mapping config, String name) {
            return ((Tree.Sequence) field(config, name))
                    .items().stream().map(item -> ((Tree.Scalar) item).text()).toList();
        }

        private static Tree field(Tree.Mapping object, String name) {
            return Objects.requireNonNull(object.entries().get(name), name);
        }
    }

    @Test
    void podsHaveBothFamiliesAndFindEachOtherByName() throws Exception {
        Section section = Section.read();
        try (PodLab lab = PodLab.open();
                HostUnderTest host = HostUnderTest.of(lab.net().node(), folder)) {
            lab.removeCni();
            eventually().until(() -> !lab.isNetworkReady());
            List<String> arguments = new ArrayList<>(section.arguments(Map.of(
                    "/etc/dualstackd/manifests",
                    host.manifests().toString(),
                    "unix:///run/containerd/containerd.sock",
                    lab.endpoint(),
                    "/etc/cni/net.d/10-dualstackd.conflist",
                    lab.containerd()
                            .cniFolder()
                            .resolve("10-dualstackd.conflist")
                            .toString())));
            arguments.addAll(List.of(
                    "--admin-socket",
                    host.socket().toString(),
                    "--state-dir",
                    host.state().toString(),
                    "--hostname-override",
                    "lone"));
            RunningDaemon daemon = host.startCommand(List.of(), arguments);
            daemon.awaitInForce();
            eventually().until(lab::isNetworkReady);
            host.put("web.yaml", section.service());
            host.put("db.yaml", section.service().replace("web", "db"));

            LabPod web = lab.run(LabPodSpec.named("web-1").label("app", "web").dns(section.dns()));
            LabPod db = lab.run(LabPodSpec.named("db-1").label("app", "db").dns(section.dns()));
            LabPod second = lab.run(LabPodSpec.named("db-2").label("app", "db").dns(section.dns()));
            for (LabPod pod : List.of(web, db, second)) {
                assertThat(pod.ips()).hasSize(2);
                assertThat(IpPrefix.parse("10.244.0.0/24").contains(pod.ips().getFirst()))
                        .isTrue();
                assertThat(IpPrefix.parse("fd00:10:244::/64").contains(pod.ips().getLast()))
                        .isTrue();
            }
            finds(lab, db, "web", Set.of("web-1"));
            finds(lab, web, "db", Set.of("db-1", "db-2"));
            assertThat(section.inside()).isEqualTo("nslookup web\n");
            assertThat(host.run("status", "--admin-socket", host.socket().toString())
                            .out())
                    .doesNotContain("DEGRADED");
            Path list = lab.containerd().cniFolder().resolve("10-dualstackd.conflist");
            String before = Files.readString(list);
            Files.delete(list);
            eventually().until(() -> Files.exists(list));
            assertThat(list).hasContent(before);
            eventually().until(lab::isNetworkReady);
        }
    }

    /** A pod finds a Service by its short name in both families, and connects to both addresses. */
    private static void finds(PodLab lab, LabPod pod, String service, Set<String> servers) throws Exception {
        List<Ip> ips = new ArrayList<>();
        eventually().ignoreExceptions().untilAsserted(() -> {
            ips.clear();
            // It asks with every search domain, and fails when one of them has no such name.
            ips.addAll(lookup(lab.exec(pod, "sh", "-c", "nslookup " + service + " || true")));
            assertThat(ips).hasSize(2);
        });
        assertThat(ips).extracting(Ip::family).containsExactlyInAnyOrder(IpFamily.IPV4, IpFamily.IPV6);
        for (Ip ip : ips) {
            Set<String> answers = new TreeSet<>();
            eventually().ignoreExceptions().until(() -> {
                String page = lab.exec(pod, "sh", "-c", "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 5 " + ip + " 80");
                answers.add(page.substring(page.indexOf("\r\n\r\n") + 4));
                return answers.equals(servers);
            });
        }
    }

    /** The addresses that {@code nslookup} prints below the name that it found. */
    private static List<Ip> lookup(String printed) {
        return printed.substring(printed.indexOf("Name:"))
                .lines()
                .filter(line -> line.startsWith("Address: "))
                .map(line -> Ip.parse(line.substring(line.lastIndexOf(' ') + 1)))
                .toList();
    }
}
