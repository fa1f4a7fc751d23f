package io.dualstackd.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.DetectLocal;
import io.dualstackd.agent.health.ProxyAddresses;
import io.dualstackd.agent.line.LineStatus;
import io.dualstackd.agent.line.LineStatus.State;
import io.dualstackd.agent.line.Repairs.Contested;
import io.dualstackd.agent.line.io.FamilyLine.LinePace;
import io.dualstackd.agent.node.NodeSettings;
import io.dualstackd.dataplane.diff.PassReport;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.NftType;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.witness.Witness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and somebody else in one namespace. Periodic looks are so far apart that only the kernel's news can wake it. */
final class HealingTest {
    private static final Duration NEVER = Duration.ofHours(10);

    @TempDir
    private Path folder;

    private final ConcurrentLinkedQueue<LineStatus> told = new ConcurrentLinkedQueue<>();
    private NetNs ns;
    private Witness witness;
    private Daemon daemon;

    @BeforeEach
    void start() throws Exception {
        ns = NetNs.create();
        witness = new Witness(ns);
        for (int i = 0; i < 3; i++) {
            Files.writeString(folder.resolve("s" + i + ".yaml"), service(i, 2));
        }
        NodeSettings node = new NodeSettings(
                "n",
                Optional.empty(),
                Map.of(),
                new DetectLocal.NodeCidr(),
                NodePortAddresses.ALL,
                false,
                14,
                false,
                true);
        // The gap between ordinary passes is as long: a repair must not wait for it.
        DaemonSettings settings = new DaemonSettings(
                ProxyMode.IPTABLES,
                folder,
                Optional.empty(),
                ns,
                node,
                new LinePace(NEVER, NEVER),
                ProxyAddresses.NONE,
                Optional.empty());
        daemon = Daemon.start(settings, told::add);
        // The second look is the one the watch asks for when it has begun to listen.
        for (IpFamily family : IpFamily.values()) {
            until(family, status -> passes(family) >= 2 && status.state() == State.IN_FORCE);
        }
    }

    @AfterEach
    void end() {
        daemon.close();
        ns.close();
    }

    private static String service(int number, int endpoints) {
        StringBuilder ends = new StringBuilder();
        for (int i = 1; i <= endpoints; i++) {
            ends.append("\n- {addresses: [10.244.%d.%d], conditions: {ready: true}}".formatted(number, i));
        }
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: s%d, namespace: e2e}
                spec: {clusterIP: 10.96.0.%d, clusterIPs: [10.96.0.%d, "fd00:10:96::%d"], ports: [{port: 80}],
                  ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv4, IPv6]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: s%d-4, namespace: e2e, labels: {kubernetes.io/service-name: s%d}}
                addressType: IPv4
                ports: [{name: "", port: 8080, protocol: TCP}]
                endpoints:%s
                """.formatted(number, number + 1, number + 1, number + 1, number, number, ends);
    }

    private static ConditionFactory eventually() {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2));
    }

    private LineStatus line(IpFamily family) {
        return daemon.lines().stream()
                .filter(line -> line.family() == family)
                .findFirst()
                .orElseThrow();
    }

    private LineStatus until(IpFamily family, Predicate<LineStatus> condition) {
        return eventually().until(() -> line(family), condition);
    }

    private long passes(IpFamily family) {
        return told.stream().filter(status -> status.family() == family).count();
    }

    private String saved(IpFamily family) throws Exception {
        return witness.saved(family == IpFamily.IPV4 ? "iptables-save" : "ip6tables-save");
    }

    /** Lets somebody do something, and wants one repair of so many steps and the same rules as before. */
    private void repaired(IpFamily family, int steps, String... foreign) throws Exception {
        String before = saved(family);
        LineStatus then = line(family);
        witness.run(foreign);
        PassReport report = until(
                        family, now -> now.counts().repairs() > then.counts().repairs())
                .lastChange()
                .orElseThrow()
                .report();
        assertThat(saved(family)).isEqualTo(before);
        assertThat(line(family).counts().repairs()).isEqualTo(then.counts().repairs() + 1);
        assertThat(report.ops()).isEqualTo(steps);
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
        assertThat(line(IpFamily.IPV6).counts().repairs()).isZero();
    }

    @Test
    void aChainWithAMissingRuleIsWrittenAnew() throws Exception {
        String chain = chain("KUBE-SVC-");
        // Emptied, then two rules: a chain is the unit of repair.
        repaired(IpFamily.IPV4, 3, "iptables", "-t", "nat", "-D", chain, "1");
        assertThat(line(IpFamily.IPV6).counts().repairs()).isZero();
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
        witness.run("nft", "flush", "ruleset");
        for (IpFamily family : IpFamily.values()) {
            until(family, now -> now.counts().repairs() == 1);
        }
        for (IpFamily family : IpFamily.values()) {
            assertThat(saved(family)).isEqualTo(before.removeFirst());
            assertThat(line(family).counts().repairs()).isEqualTo(1);
        }
    }

    @Test
    void aFlushOfOneTableTouchesOneFamily() throws Exception {
        String before = saved(IpFamily.IPV4);
        LineStatus six = line(IpFamily.IPV6);
        witness.run("iptables", "-F");
        until(IpFamily.IPV4, now -> now.counts().repairs() == 1);
        assertThat(saved(IpFamily.IPV4)).isEqualTo(before);
        assertThat(line(IpFamily.IPV6)).isSameAs(six);
    }

    @Test
    void whatOthersDoElsewhereCausesNoPass() throws Exception {
        long four = passes(IpFamily.IPV4);
        long six = passes(IpFamily.IPV6);
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
        witness.feed(script, "nft", "-f", "-");
        witness.run(
                "sh",
                "-c",
                "iptables -N KUBE-KUBELET-CANARY; iptables -A INPUT -s 192.0.2.1 -j DROP;"
                        + "iptables -D INPUT -s 192.0.2.1 -j DROP; iptables -P FORWARD ACCEPT");
        manyElementsOfOthers();
        // News come in order: when this change is answered, all before it were heard.
        witness.run("iptables", "-t", "nat", "-I", chain("KUBE-SVC-"), "-j", "RETURN");
        until(IpFamily.IPV4, now -> now.counts().repairs() == 1);
        assertThat(passes(IpFamily.IPV4)).isEqualTo(four + 1);
        assertThat(passes(IpFamily.IPV6)).isEqualTo(six);
    }

    private void manyElementsOfOthers() throws Exception {
        TableName table = new TableName(NftFamily.IP, "others");
        NftSet set = NftSet.set(table.set("s"), NftType.MARK);
        List<NftElement> elements = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            elements.add(NftElement.of(Bytes.u32(i)));
        }
        try (NftClient other = NftClient.open(ns)) {
            other.apply(NftBatch.begin().add(NftTable.of(table)).add(set).addElements(set.name(), elements));
        }
    }

    @Test
    void aFightIsNoticedReportedAndEnds() throws Exception {
        String chain = chain("KUBE-SVC-");
        // Somebody who wants another rule set and looks for it all the time.
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
            LineStatus status = until(IpFamily.IPV4, now -> now.contested().isPresent());
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
        LineStatus calm = until(IpFamily.IPV4, now -> now.contested().isEmpty());
        assertThat(calm.counts().repairs() - then)
                .as("repairs in some seconds of war")
                .isLessThan(6);
        assertThat(saved(IpFamily.IPV4)).contains("-A " + chain);
        assertThat(line(IpFamily.IPV6).contested()).isEmpty();
    }
}
