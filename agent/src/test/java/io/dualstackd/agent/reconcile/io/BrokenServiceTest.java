package io.dualstackd.agent.reconcile.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.FixedPlans;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Service that no rules can be computed for, which is a bug, costs no other Service its changes. */
@Tag("kernel")
final class BrokenServiceTest {
    private static final ServiceKey GOOD = new ServiceKey("shop", "good");
    private static final ServiceKey BROKEN = new ServiceKey("shop", "broken");

    private final Map<ServiceKey, ServiceView> services = new ConcurrentHashMap<>();
    private final Set<ServiceKey> changed = ConcurrentHashMap.newKeySet();
    private final Wakeup wakeup = new Wakeup();
    private NetNs ns;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
    }

    @AfterEach
    void close() {
        ns.close();
    }

    /** @param protocol null breaks the Service: no compiler expects it */
    @SuppressWarnings("NullAway")
    private void put(ServiceKey key, String clusterIp, @Nullable Proto protocol) {
        ServicePort port = ServicePort.onClusterIp(new ServicePortName(key, "", protocol), Ip.parse(clusterIp), 80);
        services.put(key, new ServiceView(key, IpFamily.IPV4, List.of(new PortView(port, List.of()))));
        changed.add(key);
        wakeup.signal();
    }

    private Syncer syncer(String mode) {
        NetlinkKernel.Open open = () -> NlSocket.open(NlProtocol.NETFILTER, ns);
        return mode.equals("iptables")
                ? IptablesSyncer.of(IpFamily.IPV4, open)
                : NftablesSyncer.of(IpFamily.IPV4, open);
    }

    private final class Input implements DesiredState {
        @Override
        public boolean complete() {
            return true;
        }

        @Override
        public Snapshot snapshot(BrokenServices broken) {
            Planner planner = Planner.of(Samples.node(IpFamily.IPV4));
            Set<ServiceKey> taken = new HashSet<>(changed);
            changed.removeAll(taken);
            return new Snapshot(planner, taken, new FixedPlans(planner, services), ChangeMetadata.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables"})
    void isLeftOutUntilItChanges(String mode) throws Exception {
        put(GOOD, "10.96.0.1", Proto.TCP);
        put(BROKEN, "10.96.0.2", null);
        try (FamilyReconciler reconciler = new FamilyReconciler(
                IpFamily.IPV4,
                syncer(mode),
                new StaleFlowSweep(IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                new Input(),
                wakeup,
                new SyncIntervals(Duration.ZERO, Duration.ofSeconds(30)),
                List.of())) {
            reconciler.start();
            assertThat(reached(reconciler, "10.96.0.1"))
                    .containsOnlyKeys(BROKEN)
                    .hasEntrySatisfying(
                            BROKEN,
                            error -> assertThat(error)
                                    .startsWith(
                                            "internal error: the rules of shop/broken cannot be computed: java.lang.NullPointerException"));

            Optional<Instant> since = reconciler.status().leftOutSince();
            assertThat(since).isPresent();
            put(GOOD, "10.96.0.3", Proto.TCP);
            assertThat(reached(reconciler, "10.96.0.3")).containsOnlyKeys(BROKEN);
            assertThat(reconciler.status().leftOutSince()).isEqualTo(since);
            assertThat(ruleset()).doesNotContain("10.96.0.1", "10.96.0.2");

            put(BROKEN, "10.96.0.2", Proto.TCP);
            assertThat(reached(reconciler, "10.96.0.2")).isEmpty();
            assertThat(reconciler.status().leftOutSince()).isEmpty();
            assertThat(ruleset()).contains("10.96.0.3");

            put(BROKEN, "10.96.0.4", null);
            put(GOOD, "10.96.0.5", Proto.TCP);
            assertThat(reached(reconciler, "10.96.0.5")).containsOnlyKeys(BROKEN);
            assertThat(ruleset()).doesNotContain("10.96.0.2", "10.96.0.3", "10.96.0.4");
        }
    }

    private String ruleset() throws Exception {
        return new NetNsCommands(ns).ruleset();
    }

    /** The Services that are left out when the rules have this address. */
    private Map<ServiceKey, String> reached(FamilyReconciler reconciler, String address) {
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> ruleset().contains(address) && reconciler.status().state() == State.IN_FORCE);
        return reconciler.status().lastSync().map(SyncResult::leftOut).orElseThrow();
    }
}
