package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A day with the Service API of a node without a control plane: one Service becomes everything it can be, and its networks are changed
 * under it (KEP-1880, story 2). After each step the daemon is killed, the next one must have changed nothing, and packets tell.
 */
@Tag("kernel")
final class UserWorkflowTest {
    private static final List<IpPrefix> MORNING = prefixes("172.30.0.0/24", "fd00:172::/112");
    private static final List<IpPrefix> EVENING = prefixes("172.31.0.0/24", "fd00:173::/112");

    private static final String ENDPOINTS =
            LabService.of("web", 1).slice("by-hand", "{name: t, port: 8080, protocol: TCP}", "L1, L2").slices().stream()
                    .reduce("", String::concat);

    @TempDir
    private Path folder;

    private NodeUnderTest node;

    @BeforeEach
    void begin() throws Exception {
        node = NodeUnderTest.start(
                folder,
                ProxyMode.NFTABLES,
                "--service-cluster-ip-range",
                MORNING.get(0) + "," + MORNING.get(1),
                "--service-node-port-range",
                "30000-30099");
    }

    @AfterEach
    void end() throws Exception {
        node.close();
    }

    private static List<IpPrefix> prefixes(String... texts) {
        return List.of(texts).stream().map(IpPrefix::parse).toList();
    }

    private static String service(String spec) {
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: lab}
                spec: {%s}
                """.formatted(spec);
    }

    private static String withPort(String spec) {
        return service("ports: [{name: t, port: 80}], " + spec);
    }

    /** The output of the command, which must succeed. */
    private String cli(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--admin-socket", node.host().socket().toString()));
        HostUnderTest.Ended ended = node.host().run(all.toArray(String[]::new));
        assertThat(ended.exitCode())
                .as(
                        "%s: %s %s%nlog: %s",
                        all,
                        ended.out(),
                        ended.err(),
                        String.join("\n", node.daemon().log()))
                .isZero();
        return ended.out();
    }

    private String apply(String text) throws Exception {
        return text(AdminClient.send(
                node.host().socket(), "apply lab now strict given.yaml", text.getBytes(StandardCharsets.UTF_8)));
    }

    private String get(String question) throws Exception {
        return text(AdminClient.send(node.host().socket(), "get " + question));
    }

    private String text(AdminClient.Answer answer) throws Exception {
        assertThat(answer).as(String.join("\n", node.daemon().log())).isInstanceOf(AdminClient.Answer.Report.class);
        return ((AdminClient.Answer.Report) answer).text();
    }

    private List<Ip> clusterIps() throws Exception {
        List<Ip> ips = new ArrayList<>();
        boolean list = false;
        for (String line : get("services/web yaml lab -").lines().toList()) {
            if (list && line.strip().startsWith("- ")) {
                ips.add(Ip.parse(line.strip().substring(2).replace("\"", "")));
            } else {
                list = line.strip().equals("clusterIPs:");
            }
        }
        return ips;
    }

    private int nodePort() throws Exception {
        return get("services/web yaml lab -")
                .lines()
                .filter(line -> line.contains("nodePort: "))
                .map(line -> Integer.parseInt(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private static LabMap mapOf(Ip ip) {
        return ip.family() == IpFamily.IPV4 ? LabMap.V4 : LabMap.V6;
    }

    private void answers(List<Ip> ips) {
        for (Ip ip : ips) {
            node.await(mapOf(ip), Sender.POD, ip, 80, Proto.TCP, "L1 L2");
        }
    }

    private void refusedAt(Ip ip) {
        node.awaitRefused(mapOf(ip), Sender.POD, ip, 80, Proto.TCP);
    }

    /** SIGKILL and another one, which finds in the kernel what it wants there, and gives what the last one gave. */
    private void restartChangesNothing() throws Exception {
        List<String> objects = objects();
        int generation = node.host().generation();
        node.restart();
        assertThat(node.host().generation()).isEqualTo(generation);
        assertThat(objects()).isEqualTo(objects);
    }

    /** What the commands would show, without starting each of them. */
    private List<String> objects() throws Exception {
        return List.of(get("services yaml * -"), get("servicecidrs yaml default -"), get("ipaddresses yaml default -"));
    }

    @Test
    void fromOneFamilyToANewNetwork() throws Exception {
        node.host().put("slices.yaml", ENDPOINTS);

        Path file = Files.writeString(folder.resolve("web.yaml"), withPort("type: ClusterIP"));
        assertThat(cli("apply", "-f", file.toString())).isEqualTo("service/web created\n");
        List<Ip> single = clusterIps();
        assertThat(single).singleElement().matches(MORNING.get(0)::contains);
        answers(single);
        restartChangesNothing();

        assertThat(apply(withPort("ipFamilyPolicy: PreferDualStack"))).isEqualTo("service/web configured\n");
        List<Ip> dual = clusterIps();
        assertThat(dual).hasSize(2).startsWith(single.getFirst()).last().matches(MORNING.get(1)::contains);
        answers(dual);
        restartChangesNothing();

        apply(withPort("ipFamilyPolicy: SingleStack"));
        assertThat(clusterIps()).isEqualTo(single);
        answers(single);
        refusedAt(dual.getLast());
        restartChangesNothing();

        apply(withPort("type: NodePort, ipFamilyPolicy: RequireDualStack"));
        List<Ip> again = clusterIps();
        assertThat(again).hasSize(2).startsWith(single.getFirst());
        answers(again);
        int nodePort = nodePort();
        assertThat(nodePort).isBetween(30_000, 30_099);
        for (LabMap map : LabMap.values()) {
            node.await(map, Sender.CLIENT, map.node(), nodePort, Proto.TCP, "L1 L2");
        }
        restartChangesNothing();

        apply(service("type: ExternalName, externalName: elsewhere.example"));
        again.forEach(this::refusedAt);
        for (LabMap map : LabMap.values()) {
            node.awaitRefused(map, Sender.CLIENT, map.node(), nodePort, Proto.TCP);
        }
        assertThat(get("ipaddresses name default -")).isEmpty();
        restartChangesNothing();

        newNetworks();
    }

    /** A second range is added; then the first one is removed, but not while a Service has an address of it. */
    private void newNetworks() throws Exception {
        apply(withPort("ipFamilyPolicy: RequireDualStack"));
        List<Ip> old = clusterIps();
        assertThat(old).hasSize(2).allMatch(ip -> MORNING.stream().anyMatch(range -> range.contains(ip)));
        assertThat(apply("""
                apiVersion: networking.k8s.io/v1
                kind: ServiceCIDR
                metadata: {name: evening}
                spec: {cidrs: [%s, "%s"]}
                """.formatted(EVENING.get(0), EVENING.get(1))))
                .isEqualTo("servicecidr.networking.k8s.io/evening created\n");
        // The rules for unassigned addresses of the network are written at once.
        eventually()
                .untilAsserted(() -> assertThat(node.host().commands().ruleset())
                        .contains(EVENING.stream().map(IpPrefix::toString).toList()));
        restartChangesNothing();

        cli("delete", "servicecidr", "kubernetes");
        assertThat(get("servicecidrs/kubernetes yaml default -"))
                .contains("type: Ready", "status: \"False\"", "reason: Terminating");
        answers(old);
        node.restartWith("--service-cluster-ip-range", EVENING.get(0) + "," + EVENING.get(1));
        answers(old);

        cli("delete", "service", "web", "-n", "lab");
        assertThat(apply(withPort("ipFamilyPolicy: RequireDualStack"))).isEqualTo("service/web created\n");
        List<Ip> renumbered = clusterIps();
        assertThat(renumbered).hasSize(2).allMatch(ip -> EVENING.stream().anyMatch(range -> range.contains(ip)));
        answers(renumbered);
        old.forEach(this::refusedAt);
        eventually()
                .untilAsserted(() -> assertThat(get("servicecidrs/kubernetes text default -"))
                        .contains(EVENING.get(0) + "," + EVENING.get(1)));
        cli("delete", "servicecidr", "evening");
        answers(renumbered);
        eventually()
                .untilAsserted(() -> assertThat(node.host().commands().ruleset())
                        .doesNotContain(MORNING.stream().map(IpPrefix::toString).toList()));
        restartChangesNothing();
    }
}
