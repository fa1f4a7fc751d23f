package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The syncer of nftables mode on a real kernel: what it sends, and that it finds what it wrote. */
@Tag("kernel")
final class NftablesSyncerTest {
    private static final int SERVICES = 20;
    private static final int ENDPOINTS = 10;

    private static Map<ServiceKey, Optional<ServiceView>> all(IpFamily family) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            ServiceView view = Samples.service(family, n, ENDPOINTS);
            all.put(view.key(), Optional.of(view));
        }
        ServiceView sticky = Samples.service(
                family,
                100,
                List.of(
                        Samples.endpoint(Samples.podIp(family, 100, 1), 80),
                        Samples.endpoint(Samples.podIp(family, 100, 2), 80)),
                new Affinity.ClientIp(600));
        all.put(sticky.key(), Optional.of(sticky));
        return all;
    }

    private static Map<ServiceKey, Optional<ServiceView>> one(ServiceView view) {
        return Map.of(view.key(), Optional.of(view));
    }

    private static ViewSyncer pass(IpFamily family, NetNs ns) {
        return new ViewSyncer(NftablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)));
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        assertThat(report.leftOut()).isEmpty();
        return report;
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aRestartFindsWhatWasWritten(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer first = pass(family, ns)) {
            assertThat(inForce(first.run(node, all(family))).ops()).isPositive();
            try (ViewSyncer again = pass(family, ns)) {
                SyncResult report = inForce(again.run(node, all(family)));
                assertThat(report.comparedAll()).isTrue();
                assertThat(report.ops()).isZero();
                assertThat(report.messages()).isZero();
            }
            assertThat(inForce(first.run(node, Map.of())).ops()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void anEndpointIsReplacedAddedRemoved(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = pass(family, ns)) {
            inForce(syncer.run(node, all(family)));
            ServiceView before = Samples.service(family, 7, ENDPOINTS);
            List<Endpoint> endpoints = new ArrayList<>(before.ports().getFirst().endpoints());
            endpoints.set(3, Samples.endpoint(Samples.podIp(family, 9, 100), 8080));
            SyncResult replaced = inForce(syncer.run(node, one(Samples.service(family, 7, endpoints, Affinity.NONE))));
            // One element out and one in, for the ClusterIP and for the node port.
            assertThat(replaced.ops()).isEqualTo(4);
            assertThat(replaced.messages()).isEqualTo(4);

            endpoints.add(Samples.endpoint(Samples.podIp(family, 9, 101), 8080));
            assertThat(inForce(syncer.run(node, one(Samples.service(family, 7, endpoints, Affinity.NONE))))
                            .ops())
                    .as(
                            "a set and a chain for eleven endpoints, a rule, the destination moves, the endpoint comes: twice")
                    .isEqualTo(2 * (2 + 1 + 2 + 1));
            nothingToDo(family, ns, node, syncer, Samples.service(family, 7, endpoints, Affinity.NONE));

            endpoints.removeFirst();
            endpoints.removeFirst();
            inForce(syncer.run(node, one(Samples.service(family, 7, endpoints, Affinity.NONE))));
            nothingToDo(family, ns, node, syncer, Samples.service(family, 7, endpoints, Affinity.NONE));

            inForce(syncer.run(node, one(Samples.service(family, 7, endpoints, new Affinity.ClientIp(300)))));
            nothingToDo(family, ns, node, syncer, Samples.service(family, 7, endpoints, new Affinity.ClientIp(300)));

            inForce(syncer.run(node, Map.of(before.key(), Optional.empty())));
            inForce(syncer.run(node, one(before)));
            nothingToDo(family, ns, node, syncer, before);
        }
    }

    private static void nothingToDo(IpFamily family, NetNs ns, NodeView node, ViewSyncer syncer, ServiceView changed) {
        Map<ServiceKey, Optional<ServiceView>> now = all(family);
        now.put(changed.key(), Optional.of(changed));
        try (ViewSyncer fresh = pass(family, ns)) {
            assertThat(inForce(fresh.run(node, now)).ops())
                    .as("found by a restart")
                    .isZero();
        }
        assertThat(inForce(syncer.run(node, one(changed))).ops()).isZero();
    }
}
