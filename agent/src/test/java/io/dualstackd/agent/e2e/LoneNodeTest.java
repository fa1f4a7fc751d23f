package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.lab.PodLab.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.app.Daemon;
import io.dualstackd.agent.config.ConfigReader;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.config.PodSettings;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.config.io.DaemonSettingsGiven;
import io.dualstackd.agent.host.io.CniFile;
import io.dualstackd.agent.lab.LabPod;
import io.dualstackd.agent.lab.NodeNet;
import io.dualstackd.agent.lab.PodLab;
import io.dualstackd.agent.lab.PodWish;
import io.dualstackd.agent.lab.RealRuntime;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsGiven;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine with containerd becomes a dual-stack node by the settings of one command: {@code --cluster-cidr … --write-cni …}. */
@RealRuntime
@Tag("kernel")
final class LoneNodeTest {
    @TempDir
    private Path manifests;

    @TempDir
    private Path state;

    private PodSettings pods(PodLab lab) {
        ConfigResult read = ConfigReader.read(new ConfigReader.Said(
                Optional.empty(),
                Optional.empty(),
                Map.of(
                        Key.STANDALONE,
                        "true",
                        Key.MANIFESTS,
                        manifests.toString(),
                        Key.CLUSTER_CIDR,
                        "10.245.0.0/16,fd00:10:245::/56",
                        Key.CRI,
                        lab.endpoint(),
                        Key.WRITE_CNI,
                        lab.containerd()
                                .cniFolder()
                                .resolve("10-dualstackd.conflist")
                                .toString())));
        assertThat(read).isInstanceOf(ConfigResult.Usable.class);
        return ((ConfigResult.Usable) read).config().pods();
    }

    private DaemonSettings settings(PodLab lab, PodSettings pods) {
        NodeSettings node = NodeSettingsGiven.node("n1")
                .ips(NodeNet.nodeIp(IpFamily.IPV4) + "," + NodeNet.nodeIp(IpFamily.IPV6))
                .settings();
        return DaemonSettingsGiven.daemon(
                        ProxyMode.NFTABLES,
                        new SourceSettings.Folder(manifests.toString()),
                        lab.net().node(),
                        node)
                .state(state)
                .pods(pods)
                .ledger(new LedgerSettings(
                        List.of(IpPrefix.parse("10.96.0.0/16"), IpPrefix.parse("fd00:96::/112")),
                        30_000,
                        32_767,
                        Semantics.KUBERNETES))
                .settings();
    }

    @Test
    void podsHaveBothFamiliesAndTheirServiceAnswersInBoth() throws Exception {
        Files.writeString(manifests.resolve("web.yaml"), """
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec:
              ipFamilyPolicy: RequireDualStack
              selector: {app: web}
              ports: [{port: 80, targetPort: %d}]
            """.formatted(PodWish.USUAL_PORT));
        try (PodLab lab = PodLab.open()) {
            lab.removeCni();
            eventually().until(() -> !lab.isNetworkReady());
            PodSettings pods = pods(lab);
            new CniFile(Path.of(pods.cniFile().orElseThrow())).write(pods.cidrs());
            eventually().until(lab::isNetworkReady);
            try (Daemon daemon = Daemon.start(settings(lab, pods), status -> {})) {
                LabPod one = lab.run(PodWish.named("one").label("app", "web"));
                LabPod two = lab.run(PodWish.named("two").label("app", "web"));
                for (LabPod pod : List.of(one, two)) {
                    assertThat(pod.ips()).hasSize(2);
                    assertThat(IpPrefix.parse("10.245.0.0/24")
                                    .contains(pod.ips().getFirst()))
                            .isTrue();
                    assertThat(IpPrefix.parse("fd00:10:245::/64")
                                    .contains(pod.ips().getLast()))
                            .isTrue();
                }
                eventually().until(() -> ips(daemon).size() == 2);
                for (Ip ip : ips(daemon)) {
                    Set<String> answers = new TreeSet<>();
                    eventually().ignoreExceptions().until(() -> {
                        answers.add(lab.fetch(lab.net().client(), ip, 80));
                        return answers.size() == 2;
                    });
                    assertThat(answers).containsExactly("one", "two");
                }
            }
        }
    }

    private static List<Ip> ips(Daemon daemon) {
        return daemon.objects().services().stream()
                .flatMap(state -> state.service().stream())
                .filter(service ->
                        new ServiceKey(service.namespace(), service.name()).equals(new ServiceKey("default", "web")))
                .flatMap(service -> service.clusterIps().stream())
                .toList();
    }
}
