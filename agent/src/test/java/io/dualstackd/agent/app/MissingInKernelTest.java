package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.FamilyStatus.State;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.agent.reconcile.io.FamilyReconciler;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dataplane.flows.io.StaleFlowSweep;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A feature that the kernel lacks is reported in one line, and stops only the family that needs it. */
@Tag("kernel")
final class MissingInKernelTest {
    private static final NodeSettings NODE = NodeSettingsBuilder.node("n")
            .detectLocal(new DetectLocal.ClusterCidr(List.of()))
            .localhostNodePorts(true)
            .settings();

    private final Store store = new Store();
    private NetNs ns;
    private NodeAddressTracker addresses;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
        addresses = NodeAddressTracker.start(
                NODE, ns, new NodeAddressTracker.Objects(store::isSynced, store::node), name -> List.of());
        store.markSynced();
    }

    @AfterEach
    void close() {
        addresses.close();
        ns.close();
    }

    private FamilyReconciler reconciler(IpFamily family, NetlinkKernel.Open open) {
        Wakeup wakeup = new Wakeup();
        return new FamilyReconciler(
                family,
                IptablesSyncer.of(family, open),
                new StaleFlowSweep(family, () -> ConntrackClient.open(NetlinkSockets.of(ns)), Optional.empty()),
                new StoreDesiredState(
                        family,
                        new StoreDesiredState.Sources(() -> NODE, store, addresses, () -> true, node -> node),
                        wakeup),
                wakeup,
                new SyncIntervals(Duration.ZERO, Duration.ofSeconds(30)),
                List.of());
    }

    private NetlinkKernel.Open whole() {
        return () -> NlSocket.open(NlProtocol.NETFILTER, ns);
    }

    private NetlinkKernel.Open without(String type) {
        return () -> new KernelWithoutChainType(NlSocket.open(NlProtocol.NETFILTER, ns), type);
    }

    private static FamilyStatus reached(FamilyReconciler reconciler, State state) {
        return await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(10))
                .until(reconciler::status, status -> status.state() == state);
    }

    @Test
    void withoutNat() throws Exception {
        try (FamilyReconciler reconciler = reconciler(IpFamily.IPV4, without("nat"))) {
            reconciler.start();
            assertThat(reached(reconciler, State.FAILING).lastError())
                    .contains("ENOENT", "no NAT for IPv4", "load nft_chain_nat", "CONFIG_NFT_NAT")
                    .doesNotContain("\n", "KUBE-");
        }
        assertThat(new NetNsCommands(ns).ruleset()).isEmpty();
    }

    @Test
    void withoutIpv6OnlyIpv6Fails() throws Exception {
        try (FamilyReconciler ipv4 = reconciler(IpFamily.IPV4, whole());
                FamilyReconciler ipv6 = reconciler(IpFamily.IPV6, without(""))) {
            ipv6.start();
            ipv4.start();
            reached(ipv4, State.IN_FORCE);
            assertThat(reached(ipv6, State.FAILING).lastError())
                    .contains("for IPv6", "CONFIG_IPV6")
                    .doesNotContain("\n", "KUBE-");
            assertThat(new NetNsCommands(ns).saved("iptables-save")).contains("KUBE-SERVICES");
            assertThat(ipv4.status().counts().refused()).isZero();
        }
    }
}
