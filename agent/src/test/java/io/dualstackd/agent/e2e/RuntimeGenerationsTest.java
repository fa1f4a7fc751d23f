package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.lab.Cni;
import io.dualstackd.agent.lab.EventLog;
import io.dualstackd.agent.lab.LabPod;
import io.dualstackd.agent.lab.LabPodSpec;
import io.dualstackd.agent.lab.NodeNet;
import io.dualstackd.agent.lab.PodLab;
import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.agent.lab.RuntimeVersion;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole daemon beside three generations of containerd, of which one reports no events, one divides them among its listeners,
 * and one reports all events to all of them: with each the Service has the same endpoints.
 */
@RealRuntime
@Tag("kernel")
class RuntimeGenerationsTest {
    private static final int PORT = 80;
    private static final int NODE_PORT = 30080;

    @TempDir
    private Path folder;

    static List<RuntimeVersion> versions() {
        return List.of(RuntimeVersion.INSTALLED, RuntimeVersion.fetched("1.7"), RuntimeVersion.fetched("2.1"));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void endpointsFollowPods(RuntimeVersion version) throws Exception {
        try (PodLab lab = PodLab.open(version, Cni.dualStack(Cni.Plugin.PTP));
                HostUnderTest host = HostUnderTest.of(lab.net().node(), folder);
                // Where a runtime deals out its events, this one takes half of them.
                EventLog thief = EventLog.of(lab.cri())) {
            host.put("web.yaml", service());
            RunningDaemon daemon = host.start("--cri", lab.endpoint());
            daemon.awaitInForce();
            LabPod stopped = lab.run(web("stopped"));
            LabPod killed = lab.run(web("killed"));
            lab.run(web("kept"));
            lab.run(LabPodSpec.named("stranger"));
            lab.run(web("host").onHostNetwork(LabPodSpec.USUAL_PORT));
            untilServedBy(lab, "host", "kept", "killed", "stopped");
            assertThat(listed(host)).contains(addresses(stopped), addresses(killed));

            lab.stop(stopped);
            lab.pause(killed).destroyForcibly();
            untilServedBy(lab, "host", "kept");
            lab.remove(stopped);
            lab.remove(killed);
            lab.run(web("late"));
            untilServedBy(lab, "host", "kept", "late");
            eventually()
                    .untilAsserted(() -> assertThat(listed(host).lines().map(RuntimeGenerationsTest::name))
                            .containsExactlyInAnyOrder("NAME", "host", "kept", "late", "stranger"));
            assertThat(thief.received()).doesNotHaveDuplicates();
        }
    }

    private static LabPodSpec web(String name) {
        return LabPodSpec.named(name).label("app", "web");
    }

    private static String addresses(LabPod pod) {
        return pod.ips().getFirst() + "," + pod.ips().getLast();
    }

    /** The table of {@code dualstackd pods}. */
    private static String listed(HostUnderTest host) throws Exception {
        HostUnderTest.Ended ended =
                host.run("pods", "--admin-socket", host.socket().toString());
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return ended.out();
    }

    private static String name(String line) {
        return line.split(" +", -1)[1];
    }

    /** Asks from outside until exactly these answer, on ClusterIP and node port in both families. */
    private static void untilServedBy(PodLab lab, String... names) {
        for (IpFamily family : IpFamily.values()) {
            untilServedBy(lab, clusterIp(family), PORT, names);
            untilServedBy(lab, NodeNet.nodeIp(family), NODE_PORT, names);
        }
    }

    private static void untilServedBy(PodLab lab, Ip ip, int port, String... names) {
        eventually().ignoreExceptions().untilAsserted(() -> {
            Set<String> answers = new TreeSet<>();
            for (int i = 0; i < NodeUnderTest.TRIES; i++) {
                answers.add(lab.fetch(lab.net().client(), ip, port));
            }
            assertThat(answers).as("%s port %d", ip, port).containsExactlyInAnyOrder(names);
        });
    }

    private static Ip clusterIp(IpFamily family) {
        return Ip.parse(family == IpFamily.IPV4 ? "10.96.0.10" : "fd00:10:96::a");
    }

    private static String service() {
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: default}
                spec:
                  type: NodePort
                  ipFamilyPolicy: RequireDualStack
                  clusterIP: %1$s
                  clusterIPs: [%1$s, "%2$s"]
                  selector: {app: web}
                  ports: [{port: %3$d, targetPort: %4$d, nodePort: %5$d}]
                """.formatted(
                        clusterIp(IpFamily.IPV4), clusterIp(IpFamily.IPV6), PORT, LabPodSpec.USUAL_PORT, NODE_PORT);
    }
}
