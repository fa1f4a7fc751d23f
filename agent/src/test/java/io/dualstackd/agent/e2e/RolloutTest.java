package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.Sysctl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of kube-proxy's becomes one of dualstackd's and goes back, as the DaemonSet does it, while clients connect all the time. */
@Tag("kernel")
final class RolloutTest {
    @TempDir
    private Path folder;

    private ServedHost served;
    private HostUnderTest host;
    private NetNsCommands node;

    @BeforeEach
    void prepare() throws Exception {
        served = ServedHost.in(folder);
        host = served.host();
        node = host.commands();
    }

    @AfterEach
    void end() throws Exception {
        served.close();
    }

    /** What the DaemonSet's init container does. */
    private HostUnderTest.Ended initialize(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(host.runArguments(arguments));
        all.add("--init-only");
        return host.run(all.toArray(String[]::new));
    }

    private void assertInitializes(String mode) throws Exception {
        String before = served.rules();
        HostUnderTest.Ended init = initialize("--proxy-mode", mode);
        assertThat(init.exitCode()).as(init.err()).isZero();
        assertThat(served.rules()).isEqualTo(before);
        served.assertStillServed();
    }

    private RunningDaemon start(String mode) throws Exception {
        RunningDaemon daemon = host.start("--proxy-mode", mode);
        daemon.awaitInForce();
        return daemon;
    }

    private List<String> chainsOfKubernetes() throws Exception {
        return (node.saved("iptables-save") + node.saved("ip6tables-save"))
                .lines()
                .filter(line -> line.contains("KUBE-") && !line.contains("KUBE-FIREWALL"))
                .toList();
    }

    @Test
    void fromKubeProxyInModeIptablesToNftablesAndBack() throws Exception {
        KubeProxyRules.iptables(node);
        served.connectAllTheTime();
        served.assertStillServed();

        assertInitializes("nftables");
        RunningDaemon first = start("nftables");
        first.awaitLines("removed chains=", 2);
        assertThat(chainsOfKubernetes()).isEmpty();
        served.assertStillServed();
        first.terminate();

        // Back: first to rules that kube-proxy knows.
        assertInitializes("iptables");
        RunningDaemon second = start("iptables");
        second.awaitLines("removed table=", 2);
        assertThat(served.rules()).doesNotContain("dualstackd");
        second.terminate();
        KubeProxyRules.iptables(node);
        assertThat(chainsOfKubernetes()).anyMatch(line -> line.contains("KUBE-SVC-WEBWEBWEB"));
        served.assertStillServed();
        served.assertNoConnectionWasLost();
    }

    @Test
    void fromKubeProxyInModeNftablesToIptablesAndBack() throws Exception {
        KubeProxyRules.nftables(node);
        served.connectAllTheTime();
        served.assertStillServed();

        assertInitializes("iptables");
        RunningDaemon first = start("iptables");
        first.awaitLines("removed table=", 2);
        assertThat(served.rules()).doesNotContain("kube-proxy {");
        served.assertStillServed();
        first.terminate();

        // Back: the table of kube-proxy's beside one of ours, which goes when kube-proxy's is there.
        assertInitializes("nftables");
        RunningDaemon second = start("nftables");
        second.awaitLines("removed chains=", 2);
        second.terminate();
        KubeProxyRules.nftables(node);
        node.run("nft", "delete table ip dualstackd; delete table ip6 dualstackd");
        assertThat(chainsOfKubernetes()).isEmpty();
        served.assertStillServed();
        served.assertNoConnectionWasLost();
    }

    /** The init container was all that worked: kube-proxy's rules go on. */
    @Test
    void aDaemonThatDoesNotStartLeavesTheRulesThatAreThere() throws Exception {
        KubeProxyRules.iptables(node);
        KubeProxyRules.nftables(node);
        served.connectAllTheTime();
        served.assertStillServed();
        String before = served.rules();

        for (String mode : List.of("nftables", "iptables")) {
            assertInitializes(mode);
            HostUnderTest.Ended nowhere = host.run(
                    "run",
                    "--proxy-mode",
                    mode,
                    "--kubeconfig",
                    folder.resolve("none").toString(),
                    "--admin-socket",
                    "",
                    "--state-dir",
                    "");
            assertThat(nowhere.exitCode()).isEqualTo(1);
            assertThat(served.rules()).isEqualTo(before);
        }
        served.assertStillServed();
        served.assertNoConnectionWasLost();
    }

    @Test
    void aWrongConfigurationChangesNothing() throws Exception {
        KubeProxyRules.iptables(node);
        served.connectAllTheTime();
        String before = served.rules();
        for (List<String> wrong : List.of(
                List.of("--proxy-mode", "nftable"), List.of("--proxy-mode", "nftables", "--node-ips", "192.0.2.300"))) {
            HostUnderTest.Ended init = initialize(wrong.toArray(String[]::new));
            assertThat(init.exitCode()).isEqualTo(2);
            HostUnderTest.Ended daemon =
                    host.run(host.runArguments(wrong.toArray(String[]::new)).toArray(String[]::new));
            assertThat(daemon.exitCode()).isEqualTo(2);
            assertThat(served.rules()).isEqualTo(before);
        }
        served.assertStillServed();
        served.assertNoConnectionWasLost();
    }

    /** Neither the host's settings nor what the daemon remembers; the ledger's range is for what would be written there. */
    @Test
    void aMistypedFolderChangesNothingOfTheHost() throws Exception {
        List<String> settings =
                List.of("net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding", "net/ipv4/conf/all/route_localnet");
        for (String setting : settings) {
            Sysctl.write(host.ns(), setting, "0");
        }
        String before = served.rules();
        Path missing = folder.resolve("manifest");
        Path file = Files.writeString(folder.resolve("file"), "");
        for (Path wrong : List.of(missing, file)) {
            List<String> run = new ArrayList<>(host.runArguments("--service-cluster-ip-range", "10.96.0.0/16"));
            run.set(run.indexOf("--manifests") + 1, wrong.toString());
            List<String> init = new ArrayList<>(run);
            init.add("--init-only");
            for (List<String> arguments : List.of(init, run)) {
                HostUnderTest.Ended ended = host.run(arguments.toArray(String[]::new));
                assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
                assertThat(ended.err().lines())
                        .singleElement()
                        .asString()
                        .startsWith("dualstackd: --manifests")
                        .contains("\"" + wrong + "\"", "folder");
            }
        }
        assertThat(settings)
                .allSatisfy(setting ->
                        assertThat(Sysctl.read(host.ns(), setting)).as(setting).isEqualTo("0"));
        assertThat(served.rules()).isEqualTo(before);
        assertThat(host.state()).doesNotExist();
        assertThat(host.socket()).doesNotExist();
    }

    /** A pod that starts while the old one still ends, with an admin socket of its own: never are there two, and never none of the rules. */
    @Test
    void aSecondDaemonWaitsForTheFirstToEnd() throws Exception {
        RunningDaemon first = start("nftables");
        served.connectAllTheTime();
        served.assertStillServed();
        List<String> other = new ArrayList<>(host.runArguments("--proxy-mode", "nftables"));
        other.set(
                other.indexOf("--admin-socket") + 1,
                folder.resolve("other.sock").toString());
        RunningDaemon second = host.startCommand(List.of(), other);
        second.awaitLines("waiting for another dualstackd to end", 1);
        assertThat(second.log())
                .anyMatch(line ->
                        line.contains("process " + first.pid() + ", mode nftables, admin socket " + host.socket()))
                .noneMatch(line -> line.contains(" in force "));
        assertInitializes("nftables");
        first.terminate();
        second.awaitInForce();
        served.assertStillServed();
        served.assertNoConnectionWasLost();
    }
}
