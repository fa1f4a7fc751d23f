package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rules of iptables mode, and those around virtual servers: after each of many random steps a fresh syncer finds nothing to do, and
 * now and then the kernel is compared with one that never held anything else.
 */
@Tag("kernel")
final class IptablesStepsTest {
    private static final long SEED = 20261126;
    private static final int STEPS = 60;
    private static final int SERVICES = 8;

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void chainsOfServices(IpFamily family) throws Exception {
        inNfTables(family, IptablesLayout::new);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void rulesAroundServers(IpFamily family) throws Exception {
        inNfTables(family, IptablesLayout::aroundServers);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void iptablesLegacy(IpFamily family) throws Exception {
        XtablesLock lock = new XtablesLock(Path.of("target/steps-xtables.lock"), Duration.ofSeconds(20));
        String save = family == IpFamily.IPV4 ? "iptables-legacy-save" : "ip6tables-legacy-save";
        changesAndAFreshStartAgree(
                family,
                save,
                ns -> new ViewSyncer(IptablesSyncer.ofLegacy(family, () -> XtTableClient.open(family, ns), lock)));
    }

    private static void inNfTables(IpFamily family, IptablesSyncer.LayoutOf layout) throws Exception {
        String save = family == IpFamily.IPV4 ? "iptables-save" : "ip6tables-save";
        changesAndAFreshStartAgree(
                family,
                save,
                ns -> new ViewSyncer(IptablesSyncer.of(
                        family,
                        () -> NlSocket.open(NlProtocol.NETFILTER, ns),
                        new Generations(),
                        new RuleSetGate(),
                        layout)));
    }

    private static void changesAndAFreshStartAgree(IpFamily family, String save, Function<NetNs, ViewSyncer> pass)
            throws Exception {
        Random random = new Random(SEED);
        RandomServices services = new RandomServices(random, family);
        Map<ServiceKey, Optional<ServiceView>> now = new HashMap<>();
        NodeView node = services.node();
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass.apply(ns)) {
            for (int step = 0; step < STEPS; step++) {
                Map<ServiceKey, Optional<ServiceView>> changes = services.changes(SERVICES);
                if (random.nextInt(5) == 0) {
                    node = services.node();
                }
                if (random.nextInt(10) == 0) {
                    syncer.invalidateAll();
                }
                now.putAll(changes);
                String which = "seed " + SEED + ", step " + step;
                inForce(which, syncer.run(node, changes));
                try (ViewSyncer fresh = pass.apply(ns)) {
                    assertThat(inForce(which, fresh.run(node, now)).ops())
                            .as(which)
                            .isZero();
                }
                if (step % 10 == 0) {
                    assertThat(byChain(rules(save, ns)))
                            .as(which)
                            .isEqualTo(byChain(fromNothing(save, pass, node, now)));
                    assertThat(nodePortsEndTheChain(rules(save, ns))).as(which).isTrue();
                }
            }
        }
    }

    private static List<String> fromNothing(
            String save,
            Function<NetNs, ViewSyncer> pass,
            NodeView node,
            Map<ServiceKey, Optional<ServiceView>> services)
            throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass.apply(ns)) {
            inForce("from nothing", syncer.run(node, services));
            return rules(save, ns);
        }
    }

    private static List<String> rules(String save, NetNs ns) throws Exception {
        return new NetNsCommands(ns)
                .run(save)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("\\[\\d+:\\d+]", ""))
                .toList();
    }

    /** The rules by table and chain; those of chains that Services share are sorted, as only the place of the last ones matters. */
    private static Map<String, List<String>> byChain(List<String> saved) {
        Map<String, List<String>> chains = new TreeMap<>();
        String table = "";
        for (String line : saved) {
            if (line.startsWith("*")) {
                table = line;
            } else if (line.startsWith(":")) {
                chains.put(table + " " + line.substring(1).split(" ", -1)[0], new ArrayList<>());
            } else if (line.startsWith("-A")) {
                chains.computeIfAbsent(table + " " + line.split(" ", -1)[1], chain -> new ArrayList<>())
                        .add(line);
            }
        }
        chains.forEach((chain, rules) -> {
            if (!chain.matches(".* KUBE-(SVC|SVL|SEP|EXT|FW)-[A-Z2-7]{16}|.*PUT|.*ROUTING|.*FORWARD")) {
                rules.sort(null);
            }
        });
        return chains;
    }

    /** Whether rules for node ports come after all that send packets to one Service. */
    private static boolean nodePortsEndTheChain(List<String> rules) {
        boolean last = false;
        for (String rule : rules) {
            if (rule.contains("this must be the last rule in this chain")) {
                last = true;
            } else if (last && rule.startsWith("-A KUBE-SERVICES") && rule.contains("--dport")) {
                return false;
            }
            last &= !rule.equals("COMMIT");
        }
        return true;
    }

    private static SyncResult inForce(String which, SyncResult report) {
        assertThat(report.result()).as(which).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).as(which).isEmpty();
        return report;
    }
}
