package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.reconcile.DriftRepairPolicy.Contested;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In iptables mode. */
@Tag("kernel")
final class RepairTest extends RepairContract {
    RepairTest() {
        super(ProxyMode.IPTABLES);
    }

    @Override
    String saved(IpFamily family) throws Exception {
        return commands.saved(family == IpFamily.IPV4 ? "iptables-save" : "ip6tables-save");
    }

    /** A chain of that kind that spreads over two. */
    private String chain(String prefix) throws Exception {
        return saved(IpFamily.IPV4)
                .lines()
                .filter(line -> line.startsWith("-A " + prefix) && line.contains("--probability"))
                .map(line -> line.split(" ", -1)[1])
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aJumpComesBackAlone() throws Exception {
        String jump = saved(IpFamily.IPV4)
                .lines()
                .filter(line -> line.startsWith("-A PREROUTING") && line.contains("KUBE-SERVICES"))
                .findFirst()
                .orElseThrow();
        repaired(IpFamily.IPV4, 1, "sh", "-c", "iptables -t nat " + jump.replaceFirst("-A", "-D"));
        assertThat(status(IpFamily.IPV6).counts().repairs()).isZero();
    }

    @Test
    void rewritesChainWithAMissingRule() throws Exception {
        String chain = chain("KUBE-SVC-");
        // Emptied, then two rules: a chain is the unit of repair.
        repaired(IpFamily.IPV4, 3, "iptables", "-t", "nat", "-D", chain, "1");
        assertThat(status(IpFamily.IPV6).counts().repairs()).isZero();
    }

    @Test
    void aChainThatIsGoneComesBack() throws Exception {
        repaired(
                IpFamily.IPV4,
                3,
                "nft",
                "flush chain ip nat KUBE-PROXY-CANARY; delete chain ip nat KUBE-PROXY-CANARY;"
                        + "delete chain ip filter KUBE-PROXY-CANARY; delete chain ip mangle KUBE-PROXY-CANARY");
    }

    @Test
    void aRuleOfOthersInOurChainGoes() throws Exception {
        String chain = chain("KUBE-SVC-");
        repaired(IpFamily.IPV4, 3, "iptables", "-t", "nat", "-I", chain, "-j", "RETURN");
    }

    @Test
    void allOfItComesBackAfterAFlush() throws Exception {
        List<String> before = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            before.add(saved(family));
        }
        commands.run("nft", "flush", "ruleset");
        for (IpFamily family : IpFamily.values()) {
            until(family, now -> now.counts().repairs() == 1);
        }
        for (IpFamily family : IpFamily.values()) {
            assertThat(saved(family)).isEqualTo(before.removeFirst());
            assertThat(status(family).counts().repairs()).isEqualTo(1);
        }
    }

    @Test
    void aFlushOfOneTableTouchesOneFamily() throws Exception {
        String before = saved(IpFamily.IPV4);
        FamilyStatus six = status(IpFamily.IPV6);
        commands.run("iptables", "-F");
        until(IpFamily.IPV4, now -> now.counts().repairs() == 1);
        assertThat(saved(IpFamily.IPV4)).isEqualTo(before);
        assertThat(status(IpFamily.IPV6)).isSameAs(six);
    }

    @Test
    void changesOfForeignTablesCauseNoSync() throws Exception {
        long four = syncs(IpFamily.IPV4);
        long six = syncs(IpFamily.IPV6);
        String script = """
                add table inet admin
                add chain inet admin c
                add rule inet admin c counter
                add table ip mine
                add chain ip mine KUBE-SERVICES
                add chain ip nat MINE
                add rule ip nat MINE ip daddr 10.0.0.1 counter
                add rule ip nat PREROUTING counter jump MINE
                flush chain ip nat MINE
                """;
        commands.feed(script, "nft", "-f", "-");
        commands.run(
                "sh",
                "-c",
                "iptables -N KUBE-KUBELET-CANARY; iptables -A INPUT -s 192.0.2.1 -j DROP;"
                        + "iptables -D INPUT -s 192.0.2.1 -j DROP; iptables -P FORWARD ACCEPT");
        manyElementsOfOthers();
        // Notifications arrive in order: when this change is repaired, all earlier ones have been received.
        commands.run("iptables", "-t", "nat", "-I", chain("KUBE-SVC-"), "-j", "RETURN");
        until(IpFamily.IPV4, now -> now.counts().repairs() == 1);
        assertThat(syncs(IpFamily.IPV4)).isEqualTo(four + 1);
        assertThat(syncs(IpFamily.IPV6)).isEqualTo(six);
    }

    @Test
    void contestIsDetectedReportedAndEnds() throws Exception {
        String chain = chain("KUBE-SVC-");
        // Another program that keeps restoring a rule set of its own.
        Process rival = new ProcessBuilder(
                        "nsenter",
                        "--net=/proc/" + ProcessHandle.current().pid() + "/fd/"
                                + ns.fd().number(),
                        "sh",
                        "-c",
                        "while nft flush chain ip nat " + chain + "; do sleep 0.05; done")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("rival.log").toFile())
                .start();
        Contested fight;
        long then;
        try {
            FamilyStatus status = until(IpFamily.IPV4, now -> now.contested().isPresent());
            fight = status.contested().orElseThrow();
            then = status.counts().repairs();
            until(
                    IpFamily.IPV4,
                    now -> now.contested()
                            .map(contest -> contest.pause().compareTo(Duration.ofSeconds(4)) >= 0)
                            .orElse(false));
        } finally {
            rival.destroyForcibly().waitFor();
        }
        assertThat(fight.by().process()).isEqualTo("nft");
        assertThat(fight.by().pid()).isPositive();
        assertThat(fight.what()).isEqualTo("rules in ip nat " + chain);
        FamilyStatus calm = until(IpFamily.IPV4, now -> now.contested().isEmpty());
        assertThat(calm.counts().repairs() - then)
                .as("repairs in some seconds of war")
                .isLessThan(6);
        assertThat(saved(IpFamily.IPV4)).contains("-A " + chain);
        assertThat(status(IpFamily.IPV6).contested()).isEmpty();
    }
}
