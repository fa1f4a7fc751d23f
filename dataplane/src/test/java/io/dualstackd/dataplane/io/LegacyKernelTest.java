package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.LegacyEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real kernel's tables of iptables legacy, with others at work in them. */
@Tag("kernel")
class LegacyKernelTest {
    private static final String LOCK = "target/legacy-xtables.lock";

    /** Some of what people have. We know none of these extensions but one. */
    private static final String FOREIGN =
            """
            *nat
            :PREROUTING ACCEPT [1:11]
            :INPUT ACCEPT [2:22]
            :OUTPUT ACCEPT [3:33]
            :POSTROUTING ACCEPT [4:44]
            :ZZ-THEIRS - [0:0]
            [5:55] -A PREROUTING -m length --length 5:500 -j ZZ-THEIRS
            [6:66] -A ZZ-THEIRS -p tcp -m multiport --dports 22,80:90 -j REDIRECT --to-ports 8080
            [7:77] -A POSTROUTING -o eth9 -m comment --comment theirs -j MASQUERADE --random
            COMMIT
            *filter
            :INPUT ACCEPT [8:88]
            :FORWARD DROP [9:99]
            :OUTPUT ACCEPT [10:110]
            :AA-THEIRS - [0:0]
            [11:111] -A FORWARD -i eth+ -m hashlimit --hashlimit-upto 10/sec --hashlimit-burst 5 --hashlimit-name web -j AA-THEIRS
            [12:122] -A AA-THEIRS -m limit --limit 5/min -j LOG --log-prefix "theirs: "
            [13:133] -A AA-THEIRS -m mark --mark 0x7/0xff -g AA-THEIRS-2
            COMMIT
            """.replace(":AA-THEIRS - [0:0]\n", ":AA-THEIRS - [0:0]\n:AA-THEIRS-2 - [0:0]\n");

    private NetNs ns;

    @BeforeEach
    void openNamespace() throws Exception {
        ns = FreshNetNs.create();
    }

    @AfterEach
    void closeNamespace() {
        ns.close();
    }

    private ViewSyncer pass(IpFamily family) {
        return pass(family, () -> XtTableClient.open(family, ns));
    }

    private static ViewSyncer pass(IpFamily family, LegacyKernel.Open open) {
        XtablesLock lock = new XtablesLock(Path.of(LOCK), Duration.ofSeconds(20));
        return new ViewSyncer(IptablesSyncer.ofLegacy(family, open, lock));
    }

    private static Map<ServiceKey, Optional<ServiceView>> services(IpFamily family, int count, int endpoints) {
        Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
        for (int i = 0; i < count; i++) {
            ServiceView view = Samples.service(family, i, endpoints);
            changes.put(view.key(), Optional.of(view));
        }
        return changes;
    }

    private String tool(String input, String... command) throws Exception {
        return ns.call(() -> {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
            builder.environment().put("XTABLES_LOCKFILE", LOCK);
            Process process = builder.start();
            try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
                in.write(input);
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output;
        });
    }

    private static String tools(IpFamily family) {
        return family == IpFamily.IPV4 ? "iptables-legacy" : "ip6tables-legacy";
    }

    /** Lines that say nothing of ours, with counters. */
    private List<String> foreignRules(IpFamily family) throws Exception {
        return tool("", tools(family) + "-save", "-c")
                .lines()
                .filter(line -> !line.contains("KUBE-") && !line.startsWith("#"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void rulesReadBackAreEqual(IpFamily family) {
        NodeView node = Samples.node(family);
        try (ViewSyncer first = pass(family);
                ViewSyncer again = pass(family)) {
            SyncResult written = first.run(node, services(family, 100, 3));
            assertThat(written.result()).isEqualTo(new Result.InForce());
            assertThat(written.messages()).as("tables replaced").isEqualTo(3);

            SyncResult restart = again.run(node, services(family, 100, 3));
            assertThat(restart.result()).isEqualTo(new Result.InForce());
            assertThat(restart.comparedAll()).isTrue();
            assertThat(restart.ops()).isZero();
            assertThat(first.invalidateIfChanged()).isFalse();

            ServiceView fewer = Samples.service(family, 7, 2);
            SyncResult change = first.run(node, Map.of(fewer.key(), Optional.of(fewer)));
            assertThat(change.result()).isEqualTo(new Result.InForce());
            assertThat(change.comparedAll()).isFalse();
            assertThat(change.messages()).as("tables replaced").isEqualTo(1);
            assertThat(again.invalidateIfChanged()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void rulesOfOthersStayAsTheyAreAndGoOnCounting(IpFamily family) throws Exception {
        tool(FOREIGN, tools(family) + "-restore", "--counters");
        List<String> before = foreignRules(family);
        assertThat(before).contains("[5:55] -A PREROUTING -m length --length 5:500 -j ZZ-THEIRS");
        NodeView node = Samples.node(family);
        try (ViewSyncer ours = pass(family)) {
            ours.run(node, services(family, 3, 2));
            assertThat(foreignRules(family).stream()
                            .filter(line -> !line.matches("\\*mangle|COMMIT|:\\w+ ACCEPT \\[0:0]")))
                    .containsExactlyElementsOf(before.stream()
                            .filter(line -> !line.equals("COMMIT"))
                            .toList());
            Map<ServiceKey, Optional<ServiceView>> gone = new HashMap<>();
            services(family, 3, 2).keySet().forEach(key -> gone.put(key, Optional.empty()));
            ours.run(node, gone);
            assertThat(foreignRules(family)).containsAll(before);

            // What others do to their own is none of our business, and is not undone by our next change.
            tool("", tools(family), "-t", "nat", "-I", "ZZ-THEIRS", "-p", "udp", "-j", "RETURN");
            assertThat(ours.invalidateIfChanged()).isFalse();
            ServiceView more = Samples.service(family, 4, 1);
            assertThat(ours.run(node, Map.of(more.key(), Optional.of(more))).result())
                    .isEqualTo(new Result.InForce());
            // The tool itself forgets what the policies of a table counted, whose rules it changes.
            assertThat(foreignRules(family))
                    .contains("[0:0] -A ZZ-THEIRS -p udp -j RETURN")
                    .containsAll(before.stream()
                            .filter(line -> !line.startsWith(":"))
                            .toList());
        }
    }

    @Test
    void repairsForeignChanges() throws Exception {
        NodeView node = Samples.node(IpFamily.IPV4);
        try (ViewSyncer ours = pass(IpFamily.IPV4)) {
            ours.run(node, services(IpFamily.IPV4, 3, 2));
            String right = withoutDates();
            for (String harm : List.of(
                    "-t nat -F KUBE-SERVICES",
                    "-t nat -D POSTROUTING 1",
                    "-t nat -A KUBE-MARK-MASQ -j ACCEPT",
                    "-t filter -R KUBE-FORWARD 1 -j DROP")) {
                tool("", ("iptables-legacy " + harm).split(" "));
                assertThat(ours.invalidateIfChanged()).as(harm).isTrue();
                assertThat(ours.run(node, Map.of()).ops()).as(harm).isPositive();
                assertThat(withoutDates().lines().sorted())
                        .as(harm)
                        .containsExactlyElementsOf(right.lines().sorted().toList());
            }
        }
    }

    @Test
    void afterOneFailedLookForeignChangesAreFoundAllTheSame() throws Exception {
        NodeView node = Samples.node(IpFamily.IPV4);
        XtTableClient[] opened = new XtTableClient[1];
        try (ViewSyncer ours = pass(IpFamily.IPV4, () -> opened[0] = XtTableClient.open(IpFamily.IPV4, ns))) {
            ours.run(node, services(IpFamily.IPV4, 3, 2));
            String right = withoutDates();
            opened[0].close();
            assertThat(ours.isChanged()).as("the look that fails").isTrue();
            assertThat(ours.isChanged()).as("nothing is known any more").isTrue();
            tool("", "iptables-legacy", "-t", "nat", "-F");
            assertThat(ours.invalidateIfChanged()).isTrue();
            assertThat(ours.run(node, Map.of()).result()).isEqualTo(new Result.InForce());
            assertThat(withoutDates().lines().sorted())
                    .containsExactlyElementsOf(right.lines().sorted().toList());
            assertThat(ours.isChanged()).as("all has been read again").isFalse();
        }
    }

    private String withoutDates() throws Exception {
        return tool("", "iptables-legacy-save").replaceAll("(?m)^#.*\n", "");
    }

    /** What was read is looked at again under the lock. */
    @Test
    void foreignChangeOfOurChainsCausesComparison() throws Exception {
        NodeView node = Samples.node(IpFamily.IPV4);
        ServiceView more = Samples.service(IpFamily.IPV4, 9, 1);
        try (ViewSyncer ours = pass(IpFamily.IPV4)) {
            ours.run(node, services(IpFamily.IPV4, 3, 2));
            tool("", "iptables-legacy", "-t", "nat", "-F", "KUBE-SERVICES");
            assertThat(ours.run(node, Map.of(more.key(), Optional.of(more))).result())
                    .isEqualTo(new Result.Outdated());
            assertThat(ours.run(node, Map.of()).result()).isEqualTo(new Result.InForce());
            assertThat(withoutDates()).contains("svc-9", "svc-1:");
        }
    }

    /** The kernel would let the chain go, and the rule with it; so the whole transaction is refused, and what it had done is undone. */
    @Test
    void keepsChainThatForeignRuleJumpsTo() throws Exception {
        NodeView node = Samples.node(IpFamily.IPV4);
        ServiceView service = Samples.service(IpFamily.IPV4, 1, 1);
        try (ViewSyncer ours = pass(IpFamily.IPV4)) {
            ours.run(node, services(IpFamily.IPV4, 2, 1));
            String chain = withoutDates()
                    .lines()
                    .filter(line -> line.startsWith(":KUBE-SVC-"))
                    .findFirst()
                    .orElseThrow()
                    .substring(1)
                    .replaceFirst(" .*", "");
            tool("", "iptables-legacy", "-t", "nat", "-N", "THEIRS");
            tool("", "iptables-legacy", "-t", "nat", "-A", "THEIRS", "-j", chain);
            String before = withoutDates();
            Map<ServiceKey, Optional<ServiceView>> gone = Map.of(
                    service.key(),
                    Optional.empty(),
                    Samples.service(IpFamily.IPV4, 0, 1).key(),
                    Optional.empty());
            SyncResult report = ours.run(node, gone);
            assertThat(report.result())
                    .isInstanceOfSatisfying(
                            Result.Refused.class,
                            refused -> assertThat(refused.refusals().toString())
                                    .contains("chain nat " + chain
                                            + " cannot be deleted, because a rule in THEIRS leads to it"));
            assertThat(withoutDates()).isEqualTo(before);
        }
    }

    /** REJECT is for the filter table alone, which only the kernel knows; by then the filter table has been replaced. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void whenTheSecondTableIsRefusedTheFirstIsPutBack(IpFamily family) throws Exception {
        try (ViewSyncer syncer = pass(family)) {
            syncer.run(Samples.node(family), services(family, 3, 2));
        }
        tool(FOREIGN, tools(family) + "-restore", "--noflush", "-c");
        String before = withoutDates(tool("", tools(family) + "-save", "-c"));
        LegacyEncoding encoding = new LegacyEncoding(family, new PrintKey(1, 2));
        XtablesLock lock = new XtablesLock(Path.of(LOCK), Duration.ofSeconds(20));
        ChainId filter = new ChainId(Table.FILTER, "KUBE-NEW");
        ChainId nat = new ChainId(Table.NAT, "KUBE-NEW");
        RuleImage refusing = encoding.image(Rule.of(new Target.Reject()));
        try (LegacyKernel kernel =
                new LegacyKernel(family, encoding, chain -> true, () -> XtTableClient.open(family, ns), lock)) {
            kernel.read();
            Kernel.Batch bad = kernel.begin();
            bad.add(new Op.CreateChain(filter, Origin.NODE));
            bad.add(new Op.AppendRule(filter, refusing, Origin.NODE));
            bad.add(new Op.CreateChain(nat, Origin.NODE));
            bad.add(new Op.AppendRule(nat, refusing, Origin.NODE));

            assertThat(bad.commit()).isInstanceOf(Outcome.Refused.class);

            assertThat(withoutDates(tool("", tools(family) + "-save", "-c"))).isEqualTo(before);
            Kernel.Batch good = kernel.begin();
            good.add(new Op.CreateChain(filter, Origin.NODE));
            good.add(new Op.AppendRule(filter, refusing, Origin.NODE));
            assertThat(good.commit()).isInstanceOf(Outcome.Applied.class);
            assertThat(tool("", tools(family) + "-save")).contains("-A KUBE-NEW -j REJECT");
        }
    }

    private static String withoutDates(String saved) {
        return saved.lines().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"));
    }

    @Test
    void readingMakesNoTable() throws Exception {
        try (LegacyKernel kernel = new LegacyKernel(
                        IpFamily.IPV4,
                        new LegacyEncoding(IpFamily.IPV4, new PrintKey(1, 2)),
                        chain -> true,
                        () -> XtTableClient.open(IpFamily.IPV4, ns),
                        new XtablesLock(Path.of(LOCK), Duration.ZERO));
                XtTableClient commands = XtTableClient.open(IpFamily.IPV4, ns)) {
            assertThat(kernel.read())
                    .isInstanceOfSatisfying(
                            ReadResult.Found.class,
                            found -> assertThat(((KernelChains) found.value()).complete())
                                    .isEmpty());
            assertThat(kernel.changedByOthers()).isFalse();
            assertThat(commands.tables()).isEmpty();
        }
    }

    @Test
    void reportsHolderOfTheLock() throws Exception {
        XtablesLock patient = new XtablesLock(Path.of("target/kept.lock"), Duration.ofSeconds(1));
        XtablesLock impatient = new XtablesLock(Path.of("target/kept.lock"), Duration.ZERO);
        try (ViewSyncer ours = new ViewSyncer(IptablesSyncer.ofLegacy(
                        IpFamily.IPV4, () -> XtTableClient.open(IpFamily.IPV4, ns), impatient));
                XtablesLock.Held ignored = patient.take()) {
            assertThat(ours.run(Samples.node(IpFamily.IPV4), Map.of()).result())
                    .isInstanceOfSatisfying(
                            Result.Unreachable.class,
                            unreachable -> assertThat(unreachable.reason())
                                    .startsWith(
                                            "process " + ProcessHandle.current().pid())
                                    .contains("target/kept.lock"));
        }
    }
}
