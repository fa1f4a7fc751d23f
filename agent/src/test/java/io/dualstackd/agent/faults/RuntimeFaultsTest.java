package io.dualstackd.agent.faults;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.agent.Main;
import io.dualstackd.agent.lab.Cni;
import io.dualstackd.agent.lab.LabPod;
import io.dualstackd.agent.lab.LabPodSpec;
import io.dualstackd.agent.lab.NodeNet;
import io.dualstackd.agent.lab.PodLab;
import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.NetNsCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real containerd is stopped, killed, loses its socket, and what follows it in the daemon fails: within a minute the daemon says that
 * its container runtime is wrong, the rules stay meanwhile, and afterwards endpoints follow pods again.
 */
@RealRuntime
@Tag("kernel")
final class RuntimeFaultsTest {
    /** For the daemon to say what is wrong, and for all to be well again. */
    private static final Duration STATED = Duration.ofSeconds(60);

    private static final String CLUSTER_IP4 = "10.96.0.10";
    private static final String CLUSTER_IP6 = "fd00:10:96::a";

    @TempDir
    private Path folder;

    /** Something that goes wrong with the runtime, and ends. */
    private interface Trouble {
        void on(PodLab lab) throws Exception;
    }

    @Test
    void reportsFailureAndRestoresEndpoints() throws Exception {
        try (PodLab lab = PodLab.open()) {
            Mode mode = Mode.NFTABLES;
            ChildDaemon daemon = start(lab, mode);
            try {
                Map<String, LabPod> pods = new HashMap<>();
                run(lab, pods, "one");
                awaitEndpoints(lab, mode, pods);
                awaitStatus("healthy", "");

                during(
                        lab,
                        mode,
                        pods,
                        "stopped",
                        it -> it.containerd().freeze(),
                        it -> it.containerd().thaw());
                during(lab, mode, pods, "killed", it -> it.containerd().kill(), PodLab::startRuntime);
                during(
                        lab,
                        mode,
                        pods,
                        "socket-gone",
                        it -> {
                            it.removeSocket();
                            it.containerd().stop();
                        },
                        PodLab::startRuntime);
                for (String component : List.of("pods", "cri")) {
                    thrown(lab, mode, pods, daemon, component);
                }
                assertThat(daemon.isAlive()).isTrue();
            } catch (Exception | AssertionError e) {
                e.addSuppressed(new IOException(Files.readString(folder.resolve("daemon.log"))));
                throw e;
            } finally {
                daemon.kill();
                daemon.awaitEnd();
            }
        }
    }

    /** The pod that comes afterwards is an endpoint, and the one that was there stays one. */
    private void during(PodLab lab, Mode mode, Map<String, LabPod> pods, String name, Trouble begin, Trouble end)
            throws Exception {
        begin.on(lab);
        awaitStatus("degraded", "\"reason\" : \"runtime\"");
        assertThat(reached(lab, mode)).as(name).isEqualTo(wanted(pods));
        end.on(lab);
        run(lab, pods, name);
        awaitEndpoints(lab, mode, pods);
        awaitStatus("healthy", "");
    }

    /** A component that fails is started again. */
    private void thrown(PodLab lab, Mode mode, Map<String, LabPod> pods, ChildDaemon daemon, String component)
            throws Exception {
        daemon.send("throw " + component + "  java.lang.IllegalStateException 0");
        run(lab, pods, component + "-failed");
        eventually()
                .atMost(STATED)
                .until(() -> daemon.threw()
                        .filter(where -> where.contains(" in " + component + " "))
                        .isPresent());
        awaitEndpoints(lab, mode, pods);
        run(lab, pods, component + "-works");
        awaitEndpoints(lab, mode, pods);
    }

    private static void run(PodLab lab, Map<String, LabPod> pods, String name) {
        pods.put(name, lab.run(LabPodSpec.named(name).label("app", "web")));
    }

    private ChildDaemon start(PodLab lab, Mode mode) throws Exception {
        Path manifests = Files.createDirectory(folder.resolve("manifests"));
        Files.writeString(
                manifests.resolve("web.yaml"), """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: default}
                spec:
                  ipFamilyPolicy: RequireDualStack
                  clusterIP: %1$s
                  clusterIPs: [%1$s, "%2$s"]
                  selector: {app: web}
                  ports: [{port: 80, targetPort: %3$d}]
                """.formatted(CLUSTER_IP4, CLUSTER_IP6, LabPodSpec.USUAL_PORT));
        List<String> command = new ArrayList<>(List.of(
                "nsenter",
                "--net=/proc/" + ProcessHandle.current().pid() + "/fd/"
                        + lab.net().node().fd().number(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(Testbed.flags());
        command.addAll(List.of(
                "-javaagent:" + AgentJars.pack(folder),
                "-cp",
                AgentJars.productClassPath(folder),
                Main.class.getName(),
                "run",
                "--standalone",
                "--manifests=" + manifests,
                "--proxy-mode=" + mode.flag(),
                "--hostname-override=node-1",
                "--node-ips=" + NodeNet.nodeIp(IpFamily.IPV4) + "," + NodeNet.nodeIp(IpFamily.IPV6),
                "--cri=" + lab.endpoint(),
                "--pod-cidr=" + Cni.podCidr(IpFamily.IPV4) + "," + Cni.podCidr(IpFamily.IPV6),
                "--conntrack-max-per-core=0",
                "--state-dir=" + folder.resolve("state"),
                "--admin-socket=" + socket()));
        return ChildDaemon.start(command, List.of(), folder.resolve("daemon.log"));
    }

    private Path socket() {
        return folder.resolve("admin.sock");
    }

    private void awaitStatus(String health, String part) {
        eventually().atMost(STATED).untilAsserted(() -> {
            AdminClient.Answer answer = AdminClient.status(socket(), "json");
            assertThat(answer).isInstanceOf(AdminClient.Answer.Report.class);
            AdminClient.Answer.Report report = (AdminClient.Answer.Report) answer;
            assertThat(report.healthy()).as(report.text()).isEqualTo(health.equals("healthy"));
            assertThat(report.text()).contains(part);
        });
    }

    private static void awaitEndpoints(PodLab lab, Mode mode, Map<String, LabPod> pods) {
        eventually()
                .atMost(STATED)
                .untilAsserted(() -> assertThat(reached(lab, mode)).isEqualTo(wanted(pods)));
    }

    private static Set<String> wanted(Map<String, LabPod> pods) {
        Set<String> all = new TreeSet<>();
        pods.values().forEach(pod -> pod.ips().forEach(ip -> all.add(ip + " " + LabPodSpec.USUAL_PORT)));
        return all;
    }

    /** What the kernel does with both cluster IPs. */
    private static Set<String> reached(PodLab lab, Mode mode) throws Exception {
        NetNsCommands node = new NetNsCommands(lab.net().node());
        Set<String> all = new TreeSet<>();
        all.addAll(mode.read(node, false).getOrDefault(new Destination(CLUSTER_IP4, "tcp", 80), Set.of()));
        all.addAll(mode.read(node, true).getOrDefault(new Destination(CLUSTER_IP6, "tcp", 80), Set.of()));
        return all;
    }
}
