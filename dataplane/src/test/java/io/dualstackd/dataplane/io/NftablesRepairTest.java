package io.dualstackd.dataplane.io;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.OwnedTable;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftMonitor;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.Notification;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftInterest;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A change to the table by {@code nft} is repaired by reading only what was changed, and nothing else is written. */
@Tag("kernel")
final class NftablesRepairTest {
    private static final IpFamily FAMILY = IpFamily.IPV4;
    private static final TableName TABLE = TableSets.name(FAMILY);
    private static final NodeView NODE = Samples.node(FAMILY);

    /** @param steps what is repaired: elements, and chains or sets */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 1 }                           | 1",
                "delete element ip dualstackd service-ips { 10.96.0.1 . tcp . 80 }                             | 1",
                "delete element ip dualstackd service-ips-3 { 10.96.0.1 . tcp . 80 }                           | 1",
                "add element ip dualstackd service-ips-3 { 192.0.2.1 . tcp . 80 }                              | 1",
                "add element ip dualstackd endpoints { 192.0.2.1 . tcp . 80 . 0 : 192.0.2.9 . 9 }              | 1",
                "delete element ip dualstackd sticky-service-ips { 10.96.0.101 . tcp . 80 }                    | 1",
                "flush chain ip dualstackd masquerading                                                        | 1",
                "flush chain ip dualstackd pick-endpoints                                                      | 1",
                "add rule ip dualstackd services accept                                                        | 1",
                "flush chain ip dualstackd nat-output; delete chain ip dualstackd nat-output                   | 1",
                "add element ip dualstackd cluster-ips { 192.0.2.1 }; flush chain ip dualstackd service-ips    | 2",
            })
    void repairsOnlyWhatIsMissing(String script, int steps) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass(ns);
                NftMonitor monitor = NftMonitor.open(NetlinkSockets.of(ns), NftInterest.EVERYTHING)) {
            inForce(syncer.run(NODE, all()));
            NetNsCommands commands = new NetNsCommands(ns);
            String before = commands.ruleset();
            changes(monitor);
            commands.feed(script.replace(";", "\n"), "nft", "-f", "-");
            assertThat(commands.ruleset()).isNotEqualTo(before);

            syncer.invalidate(changes(monitor));
            SyncResult report = inForce(syncer.run(NODE, Map.of()));
            assertThat(report.comparedAll()).isFalse();
            assertThat(report.ops()).isEqualTo(steps);
            assertThat(sorted(commands.ruleset())).isEqualTo(sorted(before));
            try (ViewSyncer fresh = pass(ns)) {
                assertThat(inForce(fresh.run(NODE, all())).ops()).isZero();
            }
        }
    }

    /**
     * The kernel reports a chain that was renamed like a new one, so that any other one may be missing.
     *
     * @param syncs until all is restored: packets still pass through a chain that is not a constant one, and the kernel refuses its deletion
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rename chain ip dualstackd nat-prerouting renamed                                             | 1",
                "rename chain ip dualstackd services renamed                                                   | 1",
                "add chain ip dualstackd stranger { type filter hook input priority 0; policy drop; }          | 1",
                "rename chain ip dualstackd pick-endpoints renamed                                             | 2",
                "rename chain ip dualstackd SERVICE renamed                                                    | 2",
            })
    void readsTheConstantChainsForAnUnknownOne(String script, int syncs) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass(ns);
                NftMonitor monitor = NftMonitor.open(NetlinkSockets.of(ns), NftInterest.EVERYTHING)) {
            inForce(syncer.run(NODE, all()));
            NetNsCommands commands = new NetNsCommands(ns);
            String before = commands.ruleset();
            changes(monitor);
            commands.feed(named(script), "nft", "-f", "-");
            assertThat(commands.ruleset()).isNotEqualTo(before);
            syncer.invalidate(changes(monitor));
            SyncResult report = syncer.run(NODE, Map.of());
            assertThat(report.comparedAll()).isFalse();
            if (syncs > 1) {
                assertThat(report.result()).isInstanceOf(Result.Refused.class);
                report = syncer.run(NODE, Map.of());
            }
            inForce(report);
            assertThat(report.leftOut()).isEmpty();
            assertThat(sorted(commands.ruleset())).isEqualTo(sorted(before));
        }
    }

    private static String named(String script) {
        return script.replace("SERVICE", "service-BDCSHU4K-default/svc-100/tcp/http")
                .replace("ONE", "TJYA2PTI-default/svc-100/tcp/http__11.0.100.2/80");
    }

    /** What another program changed while none of ours ran is found by the full comparison. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete element ip dualstackd sticky-service-ips { 10.96.0.101 . tcp . 80 }"
                        + "& add element ip dualstackd sticky-service-ips { 10.96.0.101 . tcp . 80 : drop }",
                "delete element ip dualstackd sticky-service-ips { 10.96.0.101 . tcp . 80 }"
                        + "& add element ip dualstackd sticky-service-ips { 10.96.0.101 . tcp . 80 : jump SERVICE }",
                "add chain ip dualstackd stranger & add map ip dualstackd strange { type ipv4_addr : verdict; }"
                        + "& add element ip dualstackd strange { 192.0.2.1 : goto stranger }",
                "flush chain ip dualstackd SERVICE & flush chain ip dualstackd endpoint-ONE"
                        + "& delete set ip dualstackd affinity-ONE & add set ip dualstackd affinity-ONE { type ipv4_addr; }",
            })
    void restoresAfterARestart(String script) throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            try (ViewSyncer syncer = pass(ns)) {
                inForce(syncer.run(NODE, all()));
            }
            NetNsCommands commands = new NetNsCommands(ns);
            String before = commands.ruleset();
            commands.feed(named(script).replace("&", "\n"), "nft", "-f", "-");
            assertThat(commands.ruleset()).isNotEqualTo(before);
            try (ViewSyncer syncer = pass(ns)) {
                inForce(syncer.run(NODE, all()));
            }
            assertThat(sorted(commands.ruleset())).isEqualTo(sorted(before));
        }
    }

    /** Changes that come with the repair are made after it. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void changesAndRepairsTogether(boolean flushed) throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass(ns);
                NftMonitor monitor = NftMonitor.open(NetlinkSockets.of(ns), NftInterest.EVERYTHING)) {
            inForce(syncer.run(NODE, all()));
            changes(monitor);
            new NetNsCommands(ns)
                    .feed(
                            flushed
                                    ? "flush ruleset"
                                    : "delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 2 }",
                            "nft",
                            "-f",
                            "-");
            syncer.invalidate(changes(monitor));
            ServiceView changed = Samples.service(FAMILY, 0, 2);
            SyncResult report = inForce(syncer.run(NODE, Map.of(changed.key(), Optional.of(changed))));
            assertThat(report.comparedAll()).isEqualTo(flushed);
            Map<ServiceKey, Optional<ServiceView>> now = all();
            now.put(changed.key(), Optional.of(changed));
            try (ViewSyncer fresh = pass(ns)) {
                assertThat(inForce(fresh.run(NODE, now)).ops()).isZero();
            }
        }
    }

    /** The repair of its new owner's chain comes first, while the former owner still has the destination. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDestinationMovesToTheServiceThatIsRepaired(boolean first) throws Exception {
        String address = "203.0.113.1";
        ServiceViewBuilder owner = service("b", "10.96.1.1").endpoints("10.0.0.1, 10.0.0.2", 80);
        ServiceViewBuilder next = service(first ? "a" : "c", "10.96.1.2")
                .endpoints("10.0.0.3", 80)
                .affinity(600);
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass(ns);
                NftMonitor monitor = NftMonitor.open(NetlinkSockets.of(ns), NftInterest.EVERYTHING)) {
            inForce(syncer.run(NODE, changes(owner.externalIps(address), next)));
            NetNsCommands commands = new NetNsCommands(ns);
            String chain = commands.ruleset()
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("chain service-") && line.contains("ns/"))
                    .findFirst()
                    .orElseThrow()
                    .split(" ", -1)[1];
            changes(monitor);
            commands.feed("flush chain ip dualstackd " + chain, "nft", "-f", "-");
            syncer.invalidate(changes(monitor));

            Map<ServiceKey, Optional<ServiceView>> moved = changes(owner.externalIps(), next.externalIps(address));
            inForce(syncer.run(NODE, moved));
            assertThat(inForce(syncer.run(NODE, Map.of())).ops()).isZero();
            try (ViewSyncer fresh = pass(ns)) {
                assertThat(inForce(fresh.run(NODE, moved)).ops()).isZero();
            }
        }
    }

    private static Map<ServiceKey, Optional<ServiceView>> changes(ServiceViewBuilder... services) {
        return Stream.of(services)
                .map(ServiceViewBuilder::view)
                .collect(Collectors.toMap(ServiceView::key, Optional::of));
    }

    private static Map<ServiceKey, Optional<ServiceView>> all() {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < 4; n++) {
            ServiceView view = Samples.service(FAMILY, n, 3);
            all.put(view.key(), Optional.of(view));
        }
        ServiceView sticky = Samples.service(
                FAMILY, 100, List.of(Samples.endpoint(Samples.podIp(FAMILY, 100, 1), 80)), new Affinity.ClientIp(600));
        all.put(sticky.key(), Optional.of(sticky));
        return all;
    }

    private static ViewSyncer pass(NetNs ns) {
        return new ViewSyncer(NftablesSyncer.of(FAMILY, () -> NlSocket.open(NlProtocol.NETFILTER, ns)));
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }

    /** All changes received up to now, as the syncer takes them. */
    private static Set<ChangedObject> changes(NftMonitor monitor) throws NetlinkException {
        OwnedTable owned = new OwnedTable(TABLE);
        Set<ChangedObject> changes = new HashSet<>();
        while (monitor.next(Duration.ZERO) instanceof Notification.Changes(List<NftMonitor.Received> received)) {
            for (NftMonitor.Received each : received) {
                owned.judge(each.change()).or(() -> other(each.change())).ifPresent(changes::add);
            }
        }
        return changes;
    }

    private static Optional<ChangedObject> other(NftChange change) {
        return switch (change) {
            case NftChange.ChainSet chain ->
                Optional.of(new ChangedObject.InChain(chain.chain().name()));
            case NftChange.ChainDeleted(ChainName chain) -> Optional.of(new ChangedObject.InChain(chain));
            case NftChange.RuleSet rule ->
                Optional.of(new ChangedObject.InRules(rule.rule().chain()));
            case NftChange.RuleDeleted rule ->
                Optional.of(new ChangedObject.InRules(rule.rule().chain()));
            case NftChange.TableDeleted ignored -> Optional.of(new ChangedObject.InTable(TABLE));
            default -> Optional.empty();
        };
    }

    /** Chains that were made anew stand at another place, and elements and handles too. */
    private static List<String> sorted(String ruleset) {
        return ruleset.lines()
                .flatMap(line -> List.of(
                        line.replace("elements = {", "").replace("}", "").split(", *"))
                        .stream())
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .sorted()
                .toList();
    }
}
