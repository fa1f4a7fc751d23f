package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.agent.reconcile.io.FamilyReconciler;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.node.io.NodeAddressTracker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first snapshot names no Services: when its sync fails, the next one must still read all of them, and none that is gone. */
@Tag("kernel")
final class FirstSyncFailsTest {
    private static final NodeSettings NODE = NodeSettingsBuilder.node("n")
            .detectLocal(new DetectLocal.ClusterCidr(List.of()))
            .settings();

    private final Store store = new Store();
    private final AtomicBoolean kernelAnswers = new AtomicBoolean();
    private final Set<ServiceKey> read = new ConcurrentSkipListSet<>();
    private NetNs ns;
    private NodeAddressTracker addresses;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
        addresses = NodeAddressTracker.start(
                NODE, ns, new NodeAddressTracker.Objects(store::isSynced, store::node), name -> List.of());
        store.apply(List.of(service("stays", "10.96.0.1"), service("goes", "10.96.0.2")));
        store.markSynced();
    }

    @AfterEach
    void close() {
        addresses.close();
        ns.close();
    }

    private static Update service(String name, String clusterIp) {
        return new Update.Put(Manifests.decode(
                        "test.yaml",
                        "{apiVersion: v1, kind: Service, metadata: {name: " + name
                                + ", namespace: shop}, spec: {clusterIP: " + clusterIp
                                + ", clusterIPs: [" + clusterIp + "], ports: [{port: 80}]}}")
                .objects()
                .getFirst()
                .object());
    }

    private NlTransport transport() throws NetlinkException {
        if (!kernelAnswers.get()) {
            throw new NetlinkException.AnswerLost("open");
        }
        return NlSocket.open(NlProtocol.NETFILTER, ns);
    }

    @Test
    void theNextOneReadsAllServices() throws Exception {
        Wakeup wakeup = new Wakeup();
        try (FamilyReconciler reconciler = new FamilyReconciler(
                IpFamily.IPV4,
                IptablesSyncer.of(IpFamily.IPV4, this::transport),
                new StaleFlowSweep(IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                new StoreDesiredState(
                        IpFamily.IPV4,
                        new StoreDesiredState.Sources(() -> NODE, store, addresses, () -> true, node -> node),
                        wakeup),
                wakeup,
                new SyncIntervals(Duration.ZERO, Duration.ofSeconds(30)),
                List.of(new Recorder()))) {
            reconciler.start();
            reached(reconciler, State.FAILING);
            store.apply(List.of(new Update.Gone(new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "goes"))));
            kernelAnswers.set(true);
            reached(reconciler, State.IN_FORCE);
            assertThat(read).containsExactly(new ServiceKey("shop", "stays"));
            assertThat(new NetNsCommands(ns).saved("iptables-save"))
                    .contains("shop/stays", "10.96.0.1/32")
                    .doesNotContain("shop/goes", "10.96.0.2");
        }
    }

    private static FamilyStatus reached(FamilyReconciler reconciler, State state) {
        return await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(10))
                .until(reconciler::status, status -> status.state() == state);
    }

    /** Keeps the Services that exist, by what the syncs have read. */
    private final class Recorder implements SyncObserver {
        @Override
        public void onService(ServiceKey key, Optional<ServicePlan> plan) {
            if (plan.isPresent()) {
                read.add(key);
            } else {
                read.remove(key);
            }
        }
    }
}
