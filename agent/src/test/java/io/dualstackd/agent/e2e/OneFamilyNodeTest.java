package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.lab.Cni;
import io.dualstackd.agent.lab.LabPod;
import io.dualstackd.agent.lab.LabPodSpec;
import io.dualstackd.agent.lab.NodeNet;
import io.dualstackd.agent.lab.PodLab;
import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.agent.lab.RuntimeVersion;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole daemon with real pods on a node of one family; where that is IPv6, there is not even 127.0.0.1. */
@RealRuntime
@Tag("kernel")
class OneFamilyNodeTest {
    private static final int PORT = 80;
    private static final int NODE_PORT = 30080;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"IPV6, BRIDGE, IPTABLES", "IPV6, PTP, NFTABLES", "IPV4, BRIDGE, NFTABLES"})
    void podsServe(IpFamily family, Cni.Plugin plugin, ProxyMode mode) throws Exception {
        try (PodLab lab = PodLab.open(RuntimeVersion.INSTALLED, Cni.only(plugin, family), EnumSet.of(family));
                HostUnderTest host = HostUnderTest.of(lab.net().node(), folder)) {
            host.put("web.yaml", service(family));
            host.start("--cri", lab.endpoint(), "--proxy-mode", mode.toString()).awaitInForce();
            LabPod one = lab.run(LabPodSpec.named("one").label("app", "web"));
            assertThat(one.ips()).extracting(Ip::family).containsExactly(family);
            lab.run(LabPodSpec.named("host").label("app", "web").onHostNetwork(LabPodSpec.USUAL_PORT));
            untilServedBy(lab, family, "one", "host");
            String pods = host.run("pods", "--admin-socket", host.socket().toString(), "-o", "wide")
                    .out();
            assertThat(pods).contains(" " + one.ips().getFirst() + " ").contains(" " + NodeNet.nodeIp(family) + " ");
            lab.remove(one);
            untilServedBy(lab, family, "host");
        }
    }

    /** Asks from outside until exactly these answer, on ClusterIP and node port. */
    private static void untilServedBy(PodLab lab, IpFamily family, String... names) {
        for (int port : new int[] {PORT, NODE_PORT}) {
            Ip ip = port == PORT ? clusterIp(family) : NodeNet.nodeIp(family);
            eventually().ignoreExceptions().untilAsserted(() -> {
                Set<String> answers = new TreeSet<>();
                for (int i = 0; i < NodeUnderTest.TRIES; i++) {
                    answers.add(lab.fetch(lab.net().client(), ip, port));
                }
                assertThat(answers).as("%s port %d", ip, port).containsExactlyInAnyOrder(names);
            });
        }
    }

    private static Ip clusterIp(IpFamily family) {
        return Ip.parse(family == IpFamily.IPV4 ? "10.96.0.10" : "fd00:10:96::a");
    }

    private static String service(IpFamily family) {
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: default}
                spec:
                  type: NodePort
                  ipFamilyPolicy: SingleStack
                  ipFamilies: [%1$s]
                  clusterIP: "%2$s"
                  clusterIPs: ["%2$s"]
                  selector: {app: web}
                  ports: [{port: %3$d, targetPort: %4$d, nodePort: %5$d}]
                """.formatted(
                family == IpFamily.IPV4 ? "IPv4" : "IPv6", clusterIp(family), PORT, LabPodSpec.USUAL_PORT, NODE_PORT);
    }
}
