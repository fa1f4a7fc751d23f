package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettingsBuilder;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.agent.reconcile.io.BrokenServices;
import io.dualstackd.agent.reconcile.io.DesiredState;
import io.dualstackd.agent.reconcile.io.FamilyReconciler;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store as a reconciler reads it, with the real kernel. */
@Tag("kernel")
final class StoreDesiredStateTest {
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

    private FamilyReconciler reconciler(Wakeup wakeup) {
        return new FamilyReconciler(
                IpFamily.IPV4,
                IptablesSyncer.of(IpFamily.IPV4, this::transport),
                new StaleFlowSweep(IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                new StoreDesiredState(
                        IpFamily.IPV4,
                        new StoreDesiredState.Sources(() -> NODE, store, addresses, () -> true, node -> node),
                        wakeup),
                wakeup,
                new SyncIntervals(Duration.ZERO, Duration.ofSeconds(30)),
                List.of(new Recorder()));
    }

    private String rules() throws Exception {
        return new NetNsCommands(ns).saved("iptables-save");
    }

    /** The first snapshot names no Services: when its sync fails, the next one must still read all of them, and none that is gone. */
    @Test
    void afterAFirstSyncThatFailsTheNextOneReadsAllServices() throws Exception {
        try (FamilyReconciler reconciler = reconciler(new Wakeup())) {
            reconciler.start();
            reached(reconciler, State.FAILING);
            store.apply(List.of(new Update.Gone(new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "goes"))));
            kernelAnswers.set(true);
            reached(reconciler, State.IN_FORCE);
            assertThat(read).containsExactly(new ServiceKey("shop", "stays"));
            assertThat(rules()).contains("shop/stays", "10.96.0.1/32").doesNotContain("shop/goes", "10.96.0.2");
        }
    }

    /** That takes a bug: the port should have been refused when the object was read. */
    @Test
    void aServiceThatCannotBePlannedIsReportedUntilItChanges() throws Exception {
        ServiceKey bad = new ServiceKey("shop", "goes");
        Ip clusterIp = Ip.parse("10.96.0.2");
        store.apply(List.of(new Update.Put(Service.builder("shop", "goes")
                .clusterIps(new Service.ClusterIp.Address(clusterIp), List.of(clusterIp), List.of(IpFamily.IPV4))
                .ports(List.of(new Service.Port("", Proto.TCP, 0, 0)))
                .build())));
        kernelAnswers.set(true);
        try (FamilyReconciler reconciler = reconciler(new Wakeup())) {
            reconciler.start();
            FamilyStatus status = reached(reconciler, State.IN_FORCE);
            assertThat(status.lastSync().orElseThrow().leftOut())
                    .containsOnly(Map.entry(
                            bad,
                            "internal error: the rules of shop/goes cannot be computed: "
                                    + "java.lang.IllegalArgumentException: shop/goes: port 0 is not in 1..65535"));
            assertThat(rules()).contains("10.96.0.1/32").doesNotContain("10.96.0.2");

            store.apply(List.of(service("goes", "10.96.0.3")));
            await().atMost(Duration.ofMinutes(1)).until(() -> rules().contains("10.96.0.3/32"));
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> reconciler
                            .status()
                            .lastSync()
                            .orElseThrow()
                            .leftOut()
                            .isEmpty());
        }
    }

    private PodNetworks networks(NodeSettings settings) {
        return new PodNetworks(
                DaemonSettingsBuilder.daemon(
                                ProxyMode.IPTABLES,
                                new SourceSettings.Cluster(new ClusterSettings(
                                        Optional.empty(), Optional.empty(), WireFormat.PROTOBUF, 5, 10)),
                                ns,
                                settings)
                        .settings(),
                () -> settings,
                store);
    }

    /** A node that has just joined gets its networks a moment after its object; the next regular look may be an hour away. */
    @Test
    void theNetworksThatTheFirstSyncWaitsForAreASignal() {
        NodeSettings settings = NodeSettingsBuilder.node("n")
                .detectLocal(new DetectLocal.NodeCidr())
                .settings();
        PodNetworks networks = networks(settings);
        await().until(addresses::isSettled);
        AtomicInteger signals = new AtomicInteger();
        StoreDesiredState desired = new StoreDesiredState(
                IpFamily.IPV4,
                new StoreDesiredState.Sources(
                        () -> settings, store, addresses, networks::isKnown, networks::withLastKnown),
                new Wakeup(Platform.system(), signals::incrementAndGet));
        for (List<IpPrefix> podCidrs : List.of(List.<IpPrefix>of(), List.of(IpPrefix.parse("10.244.1.0/24")))) {
            assertThat(desired.complete()).isFalse();
            int before = signals.get();
            store.apply(List.of(new Update.Put(new Node("n", "", podCidrs, List.of(), List.of(), false))));
            assertThat(signals).hasValueGreaterThan(before);
        }
        assertThat(desired.complete()).isTrue();
    }

    /** The first sync waits for the networks of pods. The object that has named them may be gone when it begins, and the pods stay. */
    @Test
    void networksThatTheFirstSyncWaitedForAreInIt() {
        IpPrefix pods = IpPrefix.parse("10.244.1.0/24");
        NodeSettings settings = NodeSettingsBuilder.node("n")
                .detectLocal(new DetectLocal.NodeCidr())
                .settings();
        PodNetworks networks = networks(settings);
        StoreDesiredState desired = new StoreDesiredState(
                IpFamily.IPV4,
                new StoreDesiredState.Sources(
                        () -> settings, store, addresses, networks::isKnown, networks::withLastKnown),
                new Wakeup());
        assertThat(desired.complete()).isFalse();
        Node node = new Node("n", "", List.of(pods), List.of(), List.of(), false);
        store.apply(List.of(new Update.Put(node)));
        await().until(desired::complete);
        store.apply(List.of(new Update.Gone(node.key())));
        assertThat(desired.snapshot(new BrokenServices()).planner().node().detector())
                .isEqualTo(new LocalDetector.SourceIn(pods));
    }

    /** That takes a bug, such as one in a listener of the node's addresses, which are chosen when a snapshot asks for them. */
    @Test
    void aSnapshotThatFailsLosesNoChange() {
        AtomicBoolean fails = new AtomicBoolean(true);
        StoreDesiredState desired = new StoreDesiredState(
                IpFamily.IPV4,
                new StoreDesiredState.Sources(() -> NODE, store, addresses, () -> true, node -> {
                    if (fails.get()) {
                        throw new IllegalStateException("made up");
                    }
                    return node;
                }),
                new Wakeup());
        IpPrefix network = IpPrefix.parse("10.96.0.0/16");
        store.apply(List.of(
                new Update.Put(new Node("n", "zone-a", List.of(), List.of(), List.of(), false)),
                new Update.Put(new ServiceCidr("kubernetes", List.of(network)))));
        await().until(desired::complete);
        assertThatThrownBy(() -> desired.snapshot(new BrokenServices())).hasMessage("made up");
        fails.set(false);
        NodeView node = desired.snapshot(new BrokenServices()).planner().node();
        assertThat(node.zone()).isEqualTo("zone-a");
        assertThat(node.serviceCidrs()).containsExactly(network);

        fails.set(true);
        store.apply(List.of(
                new Update.Put(new Node("n", "zone-b", List.of(), List.of(), List.of(), false)),
                new Update.Gone(new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "goes"))));
        assertThatThrownBy(() -> desired.snapshot(new BrokenServices())).hasMessage("made up");
        fails.set(false);
        DesiredState.Snapshot snapshot = desired.snapshot(new BrokenServices());
        assertThat(snapshot.changed()).containsExactly(new ServiceKey("shop", "goes"));
        assertThat(snapshot.services().find(new ServiceKey("shop", "goes"))).isEmpty();
        assertThat(snapshot.planner().node().zone()).isEqualTo("zone-b");
        assertThat(desired.snapshot(new BrokenServices()).changed()).isEmpty();
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
