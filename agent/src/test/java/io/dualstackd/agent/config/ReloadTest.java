package io.dualstackd.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.tree.Problem;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReloadTest {
    private static ConfigResult read(String text) {
        return ConfigReader.read(new ConfigReader.Input(
                Optional.of(new ConfigReader.Source("c.yaml", text)),
                Optional.empty(),
                Map.of(Key.LOG_FORMAT, "json")));
    }

    private static Reload reload(String before, String after) {
        return Reload.of((ConfigResult.Usable) read(before), read(after));
    }

    @Test
    void sayingADefaultChangesNothing() {
        assertThat(reload("", "mode: iptables\niptables: {syncPeriod: 30s, minSyncPeriod: 0s}\nclusterCIDR: \"\"\n"))
                .isEqualTo(new Reload.Same());
        assertThat(reload(
                        "mode: nftables\nclusterCIDR: 10.0.0.0/8", "clusterCIDR: 10.0.0.0/8\n# moved\nmode: nftables"))
                .isEqualTo(new Reload.Same());
    }

    @Test
    void appliesLiveKeysAndKeepsTheRest() {
        Reload.Changed changed = (Reload.Changed) reload("""
                mode: iptables
                clusterCIDR: 10.0.0.0/8
                dualstackd: {zone: a}
                """, """
                mode: nftables
                clusterCIDR: 10.0.0.0/9
                healthzBindAddress: 127.0.0.1:1
                hostnameOverride: other
                iptables: {minSyncPeriod: 1s}
                dualstackd: {logLevel: warn}
                """);
        assertThat(changed.applied()).containsExactly(Key.ZONE, Key.LOG_LEVEL, Key.CLUSTER_CIDR, Key.MIN_SYNC_PERIOD);
        assertThat(changed.restart()).containsExactly(Key.HOSTNAME_OVERRIDE, Key.MODE, Key.HEALTHZ_BIND_ADDRESS);
        AgentConfig next = changed.next().config();
        assertThat(next.mode()).isEqualTo(ProxyMode.IPTABLES);
        assertThat(next.node().nameOverride()).isEmpty();
        assertThat(next.node().zone()).isEmpty();
        assertThat(next.rules().minSyncPeriod()).isEqualTo(Duration.ofSeconds(1));
        assertThat(next.logging().level()).isEqualTo(LogLevel.WARN);
    }

    /** Pods that run have addresses of the network that was made from the former value. */
    @Test
    void aNetworkThatPodsOfThisNodeHaveAddressesOfNeedsARestart() {
        String before = """
                clusterCIDR: 10.0.0.0/8
                dualstackd: {standalone: true, manifests: /m, writeCNI: /etc/cni/net.d/10-d.conflist}
                """;
        Reload.Changed changed = (Reload.Changed) reload(before, before.replace("10.0", "172.16") + "oomScoreAdj: 1\n");
        assertThat(changed.restart()).containsExactly(Key.CLUSTER_CIDR);
        assertThat(changed.applied()).containsExactly(Key.OOM_SCORE_ADJ);
        assertThat(changed.next().config().detectLocal())
                .isEqualTo(((ConfigResult.Usable) read(before)).config().detectLocal());

        String given = before.replace("writeCNI", "podCIDR: 10.1.0.0/24, writeCNI");
        Reload.Changed live = (Reload.Changed) reload(given, given.replace("CIDR: 10.0", "CIDR: 172.16"));
        assertThat(live.applied()).containsExactly(Key.CLUSTER_CIDR);
        assertThat(live.restart()).isEmpty();
    }

    @Test
    void namesKeysThatNeedRestartUntilRestarted() {
        Reload.Changed first = (Reload.Changed) reload("", "mode: nftables");
        assertThat(first.applied()).isEmpty();
        Reload again = Reload.of(first.next(), read("mode: nftables\ndualstackd: {zone: b}"));
        assertThat(((Reload.Changed) again).restart()).containsExactly(Key.MODE);
        assertThat(((Reload.Changed) again).applied()).containsExactly(Key.ZONE);
    }

    @Test
    void aWrongTextChangesNothing() {
        Reload refused = reload("clusterCIDR: 10.0.0.0/8", "clusterCIDR: ten\ndualstackd: {zone: b}\n");
        assertThat(((Reload.Refused) refused).problems())
                .extracting(Problem::toString)
                .containsExactly(
                        "c.yaml:1: clusterCIDR: \"ten\": \"ten\" is not a network: no \"/\" and prefix length");
        assertThat(reload("", "clusterCIDR: [")).isInstanceOf(Reload.Refused.class);
    }
}
