package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.node.DetectLocal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** kubeadm's ClusterConfiguration as a source of settings. */
final class KubeadmFileTest {
    private static final String FILE = """
        apiVersion: kubeadm.k8s.io/v1beta4
        kind: InitConfiguration
        nodeRegistration: {name: n1}
        ---
        apiVersion: kubeadm.k8s.io/v1beta4
        kind: ClusterConfiguration
        kubernetesVersion: v1.36.2
        featureGates:
          NFTablesProxyMode: true
        networking:
          podSubnet: 10.244.0.0/16,fd00:10:244::/56
          serviceSubnet: 10.96.0.0/16,fd00:10:96::/112
        """;

    private static ConfigResult read(String file, Map<Key, String> flags) {
        return ConfigReader.read(new ConfigReader.Input(
                Optional.empty(), Optional.empty(), Optional.of(new ConfigReader.Source("kubeadm.yaml", file)), flags));
    }

    private static ConfigResult.Usable usable(String file, Map<Key, String> flags) {
        ConfigResult result = read(file, flags);
        assertThat(result).isInstanceOf(ConfigResult.Usable.class);
        return (ConfigResult.Usable) result;
    }

    private static Map<Key, String> standalone(Map<Key, String> more) {
        Map<Key, String> flags = new HashMap<>(Map.of(Key.STANDALONE, "true", Key.MANIFESTS, "/m"));
        flags.putAll(more);
        return flags;
    }

    private static List<IpPrefix> networks(String... texts) {
        return List.of(texts).stream().map(IpPrefix::parse).toList();
    }

    @Test
    void itsNetworksAndGatesAreUsedAndTheRestIsNamed() {
        ConfigResult.Usable usable = usable(FILE, standalone(Map.of()));
        assertThat(usable.config().detectLocal())
                .isEqualTo(new DetectLocal.ClusterCidr(networks("10.244.0.0/16", "fd00:10:244::/56")));
        assertThat(usable.config().serviceApi().orElseThrow().clusterIpRanges())
                .isEqualTo(networks("10.96.0.0/16", "fd00:10:96::/112"));
        assertThat(usable.given())
                .hasEntrySatisfying(
                        Key.FEATURE_GATES, gates -> assertThat(gates.text()).isEqualTo("NFTablesProxyMode=true"));
        assertThat(usable.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "kubeadm.yaml: not used here, ignored: document 1 (InitConfiguration), kubernetesVersion");
    }

    /** There the API server allocates addresses; the flag would be refused. */
    @Test
    void inAClusterTheNetworkOfServicesIsIgnored() {
        ConfigResult.Usable usable = usable(FILE, Map.of());
        assertThat(usable.config().serviceApi()).isEmpty();
        assertThat(usable.warnings().toString()).contains("networking.serviceSubnet");
    }

    @Test
    void flagsComeFirst() {
        ConfigResult.Usable usable = usable(
                FILE,
                standalone(Map.of(Key.CLUSTER_CIDR, "10.9.0.0/16", Key.SERVICE_CLUSTER_IP_RANGE, "10.98.0.0/16")));
        assertThat(usable.config().detectLocal()).isEqualTo(new DetectLocal.ClusterCidr(networks("10.9.0.0/16")));
        assertThat(usable.config().serviceApi().orElseThrow().clusterIpRanges()).isEqualTo(networks("10.98.0.0/16"));
    }

    private static String refused(String file) {
        return read(file, standalone(Map.of())) instanceof ConfigResult.Refused refused
                ? refused.problems().toString()
                : "";
    }

    @Test
    void problemsHaveTheirPlaceInTheFile() {
        assertThat(refused(FILE.replace("10.244.0.0/16", "10.244.0.0/33")))
                .contains("kubeadm.yaml:11 (document 2): networking.podSubnet", "10.244.0.0/33");
        assertThat(refused(FILE.replace("fd00:10:96::/112", "10.97.0.0/16")))
                .contains("kubeadm.yaml:12 (document 2): networking.serviceSubnet", "different IP families");
        assertThat(refused("kind: ClusterConfiguration\napiVersion: v1\n"))
                .contains("must contain a ClusterConfiguration of kubeadm.k8s.io");
        assertThat(refused(FILE + "---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n"))
                .contains("must be the only ClusterConfiguration");
        assertThat(refused(FILE.replace("podSubnet: 10.244.0.0/16,fd00:10:244::/56", "podSubnet: [10.244.0.0/16]")))
                .contains("networking.podSubnet", "must be a text, not a list");
        assertThat(refused("{")).contains("kubeadm.yaml:1");
    }
}
