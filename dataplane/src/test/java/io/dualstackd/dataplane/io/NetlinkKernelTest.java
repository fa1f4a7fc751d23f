package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("kernel")
final class NetlinkKernelTest {
    private NetNs ns;

    @BeforeEach
    void makeNamespace() throws Exception {
        ns = FreshNetNs.create();
    }

    @AfterEach
    void closeNamespace() {
        ns.close();
    }

    private ViewSyncer pass(IpFamily family) {
        return new ViewSyncer(IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)));
    }

    private static Map<ServiceKey, Optional<ServiceView>> services(IpFamily family, int count, int endpoints) {
        Map<ServiceKey, Optional<ServiceView>> changes = new HashMap<>();
        for (int i = 0; i < count; i++) {
            ServiceView view = Samples.service(family, i, endpoints);
            changes.put(view.key(), Optional.of(view));
        }
        return changes;
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void rulesReadBackAreEqual(IpFamily family) {
        NodeView node = Samples.node(family);
        try (ViewSyncer first = pass(family);
                ViewSyncer again = pass(family)) {
            SyncResult written = first.run(node, services(family, 100, 3));
            assertThat(written.result()).isEqualTo(new Result.InForce());

            SyncResult restart = again.run(node, services(family, 100, 3));
            assertThat(restart.result()).isEqualTo(new Result.InForce());
            assertThat(restart.comparedAll()).isTrue();
            assertThat(restart.ops()).isZero();
        }
    }

    /** The kernel counts generations over both families, so the family that loads second is always outdated. */
    @Test
    void changesOfTheOtherFamilyCauseNoComparison() throws Exception {
        CountingTransport transport = new CountingTransport(NlSocket.open(NlProtocol.NETFILTER, ns));
        try (ViewSyncer other = pass(IpFamily.IPV6);
                ViewSyncer ours = new ViewSyncer(IptablesSyncer.of(IpFamily.IPV4, () -> transport))) {
            transport.beforeFirstBatch(() -> other.run(Samples.node(IpFamily.IPV6), services(IpFamily.IPV6, 2, 2)));
            SyncResult report = ours.run(Samples.node(IpFamily.IPV4), services(IpFamily.IPV4, 2, 2));
            assertThat(report.result()).isEqualTo(new Result.InForce());
            assertThat(transport.take().batches()).as("sent again as it was").isEqualTo(2);
            assertThat(ours.invalidateIfChanged()).isFalse();
        }
    }

    /** Our own transaction must not hide a foreign change just before it. */
    @Test
    void foreignChangeBeforeOursIsDetected() {
        NodeView node = Samples.node(IpFamily.IPV4);
        try (ViewSyncer other = pass(IpFamily.IPV4);
                ViewSyncer ours = pass(IpFamily.IPV4)) {
            ours.run(node, services(IpFamily.IPV4, 2, 2));
            assertThat(other.run(node, services(IpFamily.IPV4, 1, 2)).ops()).isPositive();
            ServiceView more = Samples.service(IpFamily.IPV4, 7, 1);
            assertThat(ours.run(node, Map.of(more.key(), Optional.of(more))).result())
                    .isEqualTo(new Result.InForce());
            assertThat(ours.invalidateIfChanged()).isTrue();
            assertThat(ours.run(node, Map.of()).ops()).isPositive();
            assertThat(ours.invalidateIfChanged()).isFalse();
        }
    }

    @Test
    void foreignChangeOfOurChainsCausesComparison() throws Exception {
        CountingTransport transport = new CountingTransport(NlSocket.open(NlProtocol.NETFILTER, ns));
        NodeView node = Samples.node(IpFamily.IPV4);
        try (ViewSyncer other = pass(IpFamily.IPV4);
                ViewSyncer ours = new ViewSyncer(IptablesSyncer.of(IpFamily.IPV4, () -> transport))) {
            transport.beforeFirstBatch(() -> other.run(node, services(IpFamily.IPV4, 2, 2)));
            assertThat(ours.run(node, services(IpFamily.IPV4, 3, 2)).result()).isEqualTo(new Result.Outdated());
            assertThat(ours.run(node, Map.of()).result()).isEqualTo(new Result.InForce());
        }
    }
}
