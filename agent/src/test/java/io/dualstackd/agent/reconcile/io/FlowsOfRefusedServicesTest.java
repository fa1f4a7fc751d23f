package io.dualstackd.agent.reconcile.io;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResultBuilder;
import io.dualstackd.dataplane.flows.TestFlows;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.FixedPlans;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** While the kernel refuses a Service, its former rules make flows to its former endpoints. */
@Tag("kernel")
final class FlowsOfRefusedServicesTest {
    private static final ServiceView DNS = service("dns", "172.30.0.10")
            .protocols(Proto.UDP)
            .port(53)
            .endpoints("10.1.0.2", 5353)
            .view();
    private static final String TO_A_FORMER_ENDPOINT = "udp 172.30.0.10:53 > 10.1.0.1:5353";

    private volatile Map<ServiceKey, String> refused = Map.of(DNS.key(), "refused");

    @Test
    void theyAreSearchedForOnceTheServiceIsTaken() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient flows = ConntrackClient.open(NetlinkSockets.of(ns));
                FamilyReconciler reconciler = new FamilyReconciler(
                        IpFamily.IPV4,
                        new Refusing(),
                        new StaleFlowSweep(
                                IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                        new OneService(),
                        new Wakeup(),
                        new SyncIntervals(Duration.ZERO, Duration.ofMillis(5)),
                        List.of())) {
            assertThat(flows.add(List.of(TestFlows.entry(TO_A_FORMER_ENDPOINT))))
                    .isEqualTo(1);
            reconciler.start();
            awaitNone(flows);
            assertThat(flows.add(List.of(TestFlows.entry(TO_A_FORMER_ENDPOINT))))
                    .isEqualTo(1);
            refused = Map.of();
            awaitNone(flows);
        }
    }

    private static void awaitNone(ConntrackClient flows) {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(flows.list(new FlowFilter.OfProto(IpFamily.IPV4, Proto.UDP)))
                        .isEmpty());
    }

    /** The same Service at every look, which changed before the first one. */
    private static final class OneService implements DesiredState {
        private final Planner planner = Planner.of(Samples.node(IpFamily.IPV4));
        private boolean taken;

        @Override
        public boolean complete() {
            return true;
        }

        @Override
        public Snapshot snapshot(BrokenServices broken) {
            Set<ServiceKey> changed = taken ? Set.of() : Set.of(DNS.key());
            taken = true;
            return new Snapshot(planner, changed, new FixedPlans(planner, Map.of(DNS.key(), DNS)), ChangeMetadata.NONE);
        }
    }

    private final class Refusing implements Syncer {
        @Override
        public SyncResult run(Planner planner, Set<ServiceKey> changed, ServicePlans services) {
            return SyncResultBuilder.sync(new SyncResult.Result.InForce())
                    .leftOut(refused)
                    .result();
        }

        @Override
        public void invalidateAll() {}

        @Override
        public boolean changedByOthers() {
            return false;
        }

        @Override
        public void retryRefused() {}

        @Override
        public void close() {}
    }
}
