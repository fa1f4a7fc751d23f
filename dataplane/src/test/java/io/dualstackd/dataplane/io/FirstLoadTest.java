package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.iptables.BuiltIn;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Ownership;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A first load of iptables mode is sent in portions, and no packet reaches any of them before the last. */
@Tag("kernel")
final class FirstLoadTest {
    private static final int SERVICES = 300;
    /** A chain of a Service and its rules are never divided. */
    private static final int LARGEST_SERVICE = 100;

    private NetNs ns;
    /** The steps of each transaction that was sent. */
    private final List<List<Op>> sent = new ArrayList<>();

    @BeforeEach
    void namespace() throws Exception {
        ns = FreshNetNs.create();
    }

    @AfterEach
    void close() throws Exception {
        ns.close();
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void jumpsComeLast(IpFamily family) {
        SyncResult loaded = load(family);
        assertThat(loaded.result()).isEqualTo(new Result.InForce());
        assertThat(loaded.work().transactions()).isEqualTo(sent.size()).isGreaterThan(2);
        assertThat(sent).allSatisfy(ops -> assertThat(ops).hasSizeLessThan(NetlinkKernel.PORTION + LARGEST_SERVICE));
        assertThat(sent.subList(0, sent.size() - 1))
                .allSatisfy(ops -> assertThat(ops).noneMatch(FirstLoadTest::isReached));
        assertThat(sent.getLast())
                .isNotEmpty()
                .allSatisfy(op -> assertThat(op).isInstanceOf(Op.PlaceRule.class))
                .allMatch(FirstLoadTest::isReached);

        sent.clear();
        SyncResult again = load(family);
        assertThat(again.work().messages()).as("there is nothing left to do").isZero();
        assertThat(again.totals()).isEqualTo(loaded.totals());
    }

    @Test
    void aShortLoadIsOneTransaction() {
        SyncResult loaded = load(IpFamily.IPV4, 3);
        assertThat(loaded.result()).isEqualTo(new Result.InForce());
        assertThat(sent).hasSize(1);
        sent.clear();
        SyncResult again = load(IpFamily.IPV4, 3);
        assertThat(again.work().messages()).as("there is nothing left to do").isZero();
        assertThat(again.tables())
                .extracting(SyncResult.TableRules::inForce)
                .isEqualTo(loaded.tables().stream()
                        .map(SyncResult.TableRules::inForce)
                        .toList());
    }

    /** With kubelet's chain there, and its jumps. */
    @Test
    void keepsJumpsOfKubelet() throws Exception {
        NetNsCommands commands = new NetNsCommands(ns);
        commands.run("iptables-nft", "-N", "KUBE-FIREWALL");
        commands.run("iptables-nft", "-A", "INPUT", "-j", "KUBE-FIREWALL");
        commands.run("iptables-nft", "-A", "OUTPUT", "-j", "KUBE-FIREWALL");
        assertThat(load(IpFamily.IPV4).result()).isEqualTo(new Result.InForce());
        assertThat(sent).hasSizeGreaterThan(2);
        assertThat(commands.run("iptables-nft-save").lines().filter(rule -> rule.contains("-j KUBE-FIREWALL")))
                .containsExactlyInAnyOrder("-A INPUT -j KUBE-FIREWALL", "-A OUTPUT -j KUBE-FIREWALL");
        sent.clear();
        assertThat(load(IpFamily.IPV4).work().messages()).isZero();
    }

    /** Of a process that was killed between two transactions. */
    @Test
    void aLoadThatWasInterruptedIsCompleted() throws Exception {
        load(IpFamily.IPV4);
        NetNsCommands commands = new NetNsCommands(ns);
        String whole = rules(commands);
        for (String table : List.of("nat", "filter")) {
            for (String chain : List.of("INPUT", "OUTPUT", "PREROUTING", "POSTROUTING", "FORWARD")) {
                if (whole.contains("*" + table)
                        && commands.run("iptables-nft-save", "-t", table).contains(":" + chain)) {
                    commands.run("iptables-nft", "-t", table, "-F", chain);
                }
            }
        }
        assertThat(rules(commands)).isNotEqualTo(whole);
        assertThat(load(IpFamily.IPV4).result()).isEqualTo(new Result.InForce());
        assertThat(rules(commands)).isEqualTo(whole);
    }

    /** The first transaction is outdated by a change of others; the rules are read again while those of the next one are made. */
    @Test
    void othersChangeTheirRulesMeanwhile() throws Exception {
        NetNsCommands commands = new NetNsCommands(ns);
        commands.run("iptables-nft", "-N", "KUBE-FIREWALL");
        commands.feed(
                "*filter\n" + "-A KUBE-FIREWALL -s 192.0.2.1/32 -j DROP\n".repeat(5_000) + "COMMIT\n",
                "iptables-nft-restore",
                "--noflush");
        OtherProgram.Meter meter = new OtherProgram.Meter();
        try (OtherProgram other = new OtherProgram(ns, "others", "");
                ViewSyncer syncer = new ViewSyncer(IptablesSyncer.of(
                        IpFamily.IPV4,
                        () -> new OtherProgram.Interleaved(NlSocket.open(NlProtocol.NETFILTER, ns), meter)))) {
            meter.every(Integer.MAX_VALUE, other::commit);
            SyncResult loaded = syncer.run(Samples.node(IpFamily.IPV4), services(IpFamily.IPV4, SERVICES));
            assertThat(other.commits()).isGreaterThan(2);
            assertThat(loaded.result()).isEqualTo(new Result.InForce());
        }
        assertThat(load(IpFamily.IPV4).work().messages()).isZero();
    }

    private static String rules(NetNsCommands commands) throws Exception {
        return commands.run("iptables-nft-save").replaceAll("(?m)^#.*\n", "").replaceAll("\\[\\d+:\\d+\\]", "");
    }

    private static boolean isReached(Op op) {
        return op instanceof Op.PlaceRule placed && BuiltIn.contains(placed.chain());
    }

    private SyncResult load(IpFamily family) {
        return load(family, SERVICES);
    }

    private SyncResult load(IpFamily family, int count) {
        IptablesEncoding encoding = new IptablesEncoding(family, new PrintKey(1, 2));
        NetlinkKernel kernel = new NetlinkKernel(
                family,
                new IptablesEncoding(family, new PrintKey(1, 2)),
                chain -> chain.name().startsWith("KUBE-"),
                Ownership::ofService,
                () -> NlSocket.open(NlProtocol.NETFILTER, ns),
                new Generations(),
                new RuleSetGate());
        try (ViewSyncer syncer = new ViewSyncer(
                new IptablesSyncer(new Recorded(kernel), new IptablesLayout(encoding::image, Ownership::ours)))) {
            return syncer.run(Samples.node(family), services(family, count));
        }
    }

    private static Map<ServiceKey, Optional<ServiceView>> services(IpFamily family, int count) {
        Map<ServiceKey, Optional<ServiceView>> services = new HashMap<>();
        for (int i = 0; i < count; i++) {
            ServiceView view = Samples.service(family, i, 10);
            services.put(view.key(), Optional.of(view));
        }
        return services;
    }

    /** The real kernel, and what it is asked to do. */
    private final class Recorded implements Kernel {
        private final Kernel real;

        Recorded(Kernel real) {
            this.real = real;
        }

        @Override
        public ReadResult<KernelChains> read() {
            return real.read();
        }

        @Override
        public ReadResult<KernelChains> read(Set<ChainId> chains) {
            return real.read(chains);
        }

        @Override
        public int portion() {
            return real.portion();
        }

        @Override
        public Batch begin() {
            Batch batch = real.begin();
            List<Op> ops = new ArrayList<>();
            return new Batch() {
                @Override
                public void add(Op op) {
                    ops.add(op);
                    batch.add(op);
                }

                @Override
                public int size() {
                    return batch.size();
                }

                @Override
                public Outcome commit() {
                    sent.add(ops);
                    return batch.commit();
                }

                @Override
                public void close() {
                    batch.close();
                }
            };
        }

        @Override
        public void done() {
            real.done();
        }

        @Override
        public boolean changedByOthers() {
            return real.changedByOthers();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
