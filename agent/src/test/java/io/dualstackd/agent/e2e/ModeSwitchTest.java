package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From one mode to the other and back, while clients connect all the time. */
@Tag("kernel")
final class ModeSwitchTest {
    @TempDir
    private Path folder;

    private ServedHost served;
    private HostUnderTest host;

    @BeforeEach
    void prepare() throws Exception {
        served = ServedHost.in(folder);
        host = served.host();
    }

    @AfterEach
    void end() throws Exception {
        served.close();
    }

    private RunningDaemon start(String mode) throws Exception {
        RunningDaemon daemon = host.start("--proxy-mode", mode);
        daemon.awaitInForce();
        return daemon;
    }

    private String rules() throws Exception {
        return host.commands().ruleset();
    }

    private List<String> chainsOfKubernetes() throws Exception {
        return (host.commands().saved("iptables-save") + host.commands().saved("ip6tables-save"))
                .lines()
                .filter(line -> line.contains("KUBE-"))
                .toList();
    }

    @Test
    void noConnectionIsLost() throws Exception {
        RunningDaemon first = start("iptables");
        served.connectAllTheTime();
        assertThat(rules()).contains("KUBE-SVC-").doesNotContain("dualstackd");
        host.commands().run("nft", "add table ip kube-proxy; add table ip6 kube-proxy; add table inet kube-proxy");
        first.terminate();

        RunningDaemon second = start("nftables");
        second.awaitLines("removed chains=", 2);
        second.awaitLines("removed table=", 2);
        assertThat(rules())
                .contains("table ip dualstackd", "table ip6 dualstackd", "table inet kube-proxy")
                .doesNotContain("KUBE-SVC-", "table ip kube-proxy", "table ip6 kube-proxy");
        assertThat(chainsOfKubernetes()).allMatch(line -> line.contains("KUBE-FIREWALL"));
        second.kill();

        RunningDaemon third = host.start("--proxy-mode", "iptables", "--iptables-variant", "legacy");
        third.awaitInForce();
        third.awaitLines("removed table=", 2);
        assertThat(rules()).doesNotContain("KUBE-SVC-", "dualstackd");
        assertThat(host.commands().saved("iptables-legacy-save")).contains("KUBE-SVC-");
        assertThat(host.commands().saved("ip6tables-legacy-save")).contains("KUBE-SVC-");
        assertThat(host.run("status", "--admin-socket", host.socket().toString())
                        .out())
                .contains("iptables (legacy)");
        third.terminate();

        RunningDaemon fourth = host.start("--proxy-mode", "iptables", "--iptables-variant", "nf_tables");
        fourth.awaitInForce();
        fourth.awaitLines("removed chains=", 2);
        assertThat(rules()).contains("KUBE-SVC-");
        assertThat(host.commands().saved("iptables-legacy-save")).doesNotContain("KUBE-SVC-");
        assertThat(host.commands().saved("ip6tables-legacy-save")).doesNotContain("KUBE-SVC-");
        fourth.terminate();

        served.assertNoConnectionWasLost();
    }

    @Test
    void cleanupTakesEverythingOfEveryMode() throws Exception {
        start("nftables").terminate();
        host.commands().run("nft", "add table ip kube-proxy; add table ip6 kube-proxy; add table ip other");
        host.commands().run("iptables", "-t", "nat", "-N", "KUBE-SERVICES");
        host.commands().run("iptables-legacy", "-t", "nat", "-N", "KUBE-SERVICES");
        host.commands().run("iptables-legacy", "-t", "nat", "-N", "THEIRS");
        host.commands().run("ip", "link", "add", "kube-ipvs0", "type", "bridge");
        HostUnderTest.Ended cleanup = host.cleanup();
        assertThat(cleanup.exitCode()).isZero();
        assertThat(cleanup.out())
                .contains(
                        "IPv4: removed 1 chains and 0 jumps",
                        "IPv4: removed 1 chains of iptables legacy",
                        "IPv4: removed table ip dualstackd",
                        "IPv6: removed table ip6 kube-proxy",
                        "removed link kube-ipvs0");
        assertThat(rules()).doesNotContain("dualstackd", "kube-proxy").contains("table ip other");
        assertThat(chainsOfKubernetes()).isEmpty();
        assertThat(host.commands().saved("iptables-legacy-save"))
                .contains(":THEIRS")
                .doesNotContain("KUBE-");
        assertThat(host.commands().run("ip", "link")).doesNotContain("kube-ipvs0");
    }
}
