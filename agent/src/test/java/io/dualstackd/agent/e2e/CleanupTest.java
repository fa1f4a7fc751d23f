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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code dualstackd cleanup} leaves of a host where a daemon was: the host as it was before. */
@Tag("kernel")
final class CleanupTest {
    private static final List<String> SETTINGS =
            List.of("net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding", "net/ipv4/conf/all/route_localnet");

    @TempDir
    private Path folder;

    private HostUnderTest host;
    private NetNsCommands node;

    @BeforeEach
    void prepare() throws Exception {
        host = HostUnderTest.in(folder);
        node = host.commands();
        host.put("web.yaml", Manifests.service("web", 1, "type: NodePort") + Manifests.slices("web", 0, 2));
        for (String setting : SETTINGS) {
            Sysctl.write(host.ns(), setting, "0");
        }
        Sysctl.write(host.ns(), "net/ipv4/conf/lo/route_localnet", "0");
        Sysctl.write(host.ns(), "net/ipv4/conf/default/route_localnet", "0");
    }

    @AfterEach
    void end() throws Exception {
        host.close();
    }

    private void daemonWas(String... arguments) throws Exception {
        RunningDaemon daemon = host.start(arguments);
        daemon.awaitInForce();
        daemon.terminate();
    }

    private List<String> settings() throws Exception {
        List<String> values = new ArrayList<>();
        for (String setting : SETTINGS) {
            values.add(Sysctl.read(host.ns(), setting));
        }
        return values;
    }

    private String rules() throws Exception {
        return node.saved("iptables-save")
                + node.saved("ip6tables-save")
                + node.saved("iptables-legacy-save")
                + node.saved("ip6tables-legacy-save");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nf_tables", "legacy"})
    void theGuardAndTheSettingsThatItIsForGoTogether(String variant) throws Exception {
        daemonWas("--proxy-mode", "iptables", "--iptables-variant", variant);
        assertThat(settings()).containsExactly("1", "1", "1");
        assertThat(rules()).contains("-A INPUT -j KUBE-FIREWALL");

        HostUnderTest.Ended cleanup = host.cleanup();
        assertThat(cleanup.err()).isEmpty();
        assertThat(cleanup.exitCode()).isZero();
        assertThat(cleanup.out().lines())
                .contains(
                        "set net.ipv4.conf.all.route_localnet back from 1 to 0",
                        "set net.ipv4.ip_forward back from 1 to 0",
                        "set net.ipv6.conf.all.forwarding back from 1 to 0")
                .anyMatch(line -> line.startsWith("IPv4: removed the guard before 127.0.0.0/8"))
                .noneMatch(line -> line.contains("nothing"));
        assertThat(settings()).containsExactly("0", "0", "0");
        assertThat(rules()).doesNotContain("KUBE-");

        HostUnderTest.Ended again = host.cleanup();
        assertThat(again.exitCode()).isZero();
        assertThat(again.out().lines())
                .containsExactly("IPv4: there was nothing to remove", "IPv6: there was nothing to remove");
    }

    @Test
    void anotherStateDirHasNoRecordOfTheSettings() throws Exception {
        daemonWas("--proxy-mode", "iptables");
        Path other = folder.resolve("other");
        HostUnderTest.Ended cleanup =
                host.run("cleanup", "--admin-socket", host.socket().toString(), "--state-dir", other.toString());
        assertThat(cleanup.exitCode()).isZero();
        assertThat(cleanup.out())
                .contains(
                        "kernel settings stay as they are: " + other.resolve("kernel-settings")
                                + " has no record of changes; if the daemon ran with another --state-dir, run this again with that one");
        assertThat(settings()).containsExactly("1", "1", "1");
        assertThat(host.cleanup().out()).contains("set net.ipv4.ip_forward back from 1 to 0");
        assertThat(settings()).containsExactly("0", "0", "0");
    }

    /** For each family either one line that nothing was found, or lines with what was found. */
    @Test
    void itDoesNotSayThatNothingWasThereAndThenWhat() throws Exception {
        daemonWas("--proxy-mode", "nftables");
        HostUnderTest.Ended cleanup = host.cleanup();
        assertThat(cleanup.exitCode()).isZero();
        assertThat(cleanup.out())
                .contains("IPv4: removed table ip dualstackd", "IPv6: removed table ip6 dualstackd")
                .doesNotContain("nothing");
    }

    /** An admin may route that network on purpose; then only the guard closes it to hosts on the same link. */
    @Test
    void theGuardStaysWhereTheHostRoutesLoopbackWithoutUs() throws Exception {
        Sysctl.write(host.ns(), "net/ipv4/conf/all/route_localnet", "1");
        Sysctl.write(host.ns(), "net/ipv4/ip_forward", "1");
        daemonWas("--proxy-mode", "iptables");
        Sysctl.write(host.ns(), "net/ipv6/conf/all/forwarding", "2");
        HostUnderTest.Ended cleanup = host.cleanup();
        assertThat(cleanup.exitCode()).isZero();
        assertThat(cleanup.out())
                .contains(
                        "IPv4: KUBE-FIREWALL stays while net.ipv4.conf.all.route_localnet",
                        "net.ipv6.conf.all.forwarding stays 2, which is not the value that dualstackd wanted there");
        assertThat(settings()).containsExactly("1", "2", "1");
        assertThat(rules().lines().filter(line -> line.contains("KUBE-")))
                .containsExactlyInAnyOrder(
                        ":KUBE-FIREWALL - [0:0]",
                        "-A INPUT -j KUBE-FIREWALL",
                        "-A OUTPUT -j KUBE-FIREWALL",
                        "-A KUBE-FIREWALL ! -s 127.0.0.0/8 -d 127.0.0.0/8 -m comment --comment \"block incoming localnet"
                                + " connections\" -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP");
    }

    @Test
    void aKubeletsChainAndTheRulesOfOthersStay() throws Exception {
        daemonWas("--proxy-mode", "iptables");
        node.run("iptables", "-t", "mangle", "-N", "KUBE-IPTABLES-HINT");
        String kubelets = rules();
        assertThat(host.cleanup().exitCode()).isZero();
        assertThat(rules().lines().filter(line -> line.contains("KUBE-FIREWALL")))
                .containsExactlyElementsOf(kubelets.lines()
                        .filter(line -> line.contains("KUBE-FIREWALL"))
                        .toList());

        node.run("iptables", "-t", "mangle", "-X", "KUBE-IPTABLES-HINT");
        node.run("iptables", "-A", "KUBE-FIREWALL", "-s", "192.0.2.1", "-j", "DROP");
        assertThat(host.cleanup().exitCode()).isZero();
        assertThat(rules().lines().filter(line -> line.contains("KUBE-FIREWALL")))
                .containsExactlyInAnyOrder(
                        ":KUBE-FIREWALL - [0:0]",
                        "-A INPUT -j KUBE-FIREWALL",
                        "-A OUTPUT -j KUBE-FIREWALL",
                        "-A KUBE-FIREWALL -s 192.0.2.1/32 -j DROP");

        node.run("iptables", "-F", "KUBE-FIREWALL");
        node.run("iptables", "-I", "INPUT", "-s", "192.0.2.7", "-j", "KUBE-FIREWALL");
        HostUnderTest.Ended cleanup = host.cleanup();
        assertThat(cleanup.exitCode()).isZero();
        assertThat(cleanup.out())
                .contains("filter KUBE-FIREWALL is empty but kept, because a rule of another program jumps to it");
        assertThat(rules().lines().filter(line -> line.contains("KUBE-FIREWALL")))
                .containsExactlyInAnyOrder(":KUBE-FIREWALL - [0:0]", "-A INPUT -s 192.0.2.7/32 -j KUBE-FIREWALL");
    }

    private String[] withCni(Path file) {
        return new String[] {
            "--proxy-mode",
            "nftables",
            "--cri",
            "unix://" + folder.resolve("no-runtime.sock"),
            "--write-cni",
            file.toString()
        };
    }

    @Test
    void removesCniConfigurationIfUnchanged() throws Exception {
        Path ours = folder.resolve("net.d/10-dualstackd.conflist");
        Path taken = folder.resolve("net.d/20-dualstackd.conflist");
        Path beside = folder.resolve("net.d/05-other.conflist");
        daemonWas(withCni(taken));
        daemonWas(withCni(ours));
        assertThat(ours).exists();
        Files.writeString(taken, "{}");
        Files.writeString(beside, "{}");

        HostUnderTest.Ended cleanup = host.cleanup();
        assertThat(cleanup.err()).isEmpty();
        assertThat(cleanup.exitCode()).isZero();
        assertThat(cleanup.out())
                .contains("removed " + ours + ", the CNI configuration")
                .contains(taken + " stays: it is no longer the CNI configuration that dualstackd wrote");
        assertThat(ours).doesNotExist();
        assertThat(taken).hasContent("{}");
        assertThat(beside).hasContent("{}");
        assertThat(host.cleanup().out()).doesNotContain("net.d");
    }

    @Test
    void itRefusesWhileADaemonRuns() throws Exception {
        RunningDaemon daemon = host.start("--proxy-mode", "nftables");
        daemon.awaitInForce();
        String before = node.ruleset();
        HostUnderTest.Ended bySocket = host.cleanup();
        assertThat(bySocket.exitCode()).isEqualTo(1);
        HostUnderTest.Ended byLock = host.run(
                "cleanup", "--admin-socket", "", "--state-dir", host.state().toString());
        assertThat(byLock.exitCode()).isEqualTo(1);
        assertThat(byLock.out()).isEmpty();
        assertThat(byLock.err().lines())
                .singleElement()
                .asString()
                .contains(
                        "nothing was removed",
                        "process " + daemon.pid(),
                        "mode nftables",
                        host.socket().toString());
        assertThat(node.ruleset()).isEqualTo(before);
        daemon.kill();
        assertThat(host.cleanup().exitCode()).isZero();
        assertThat(node.ruleset()).doesNotContain("dualstackd");
    }
}
