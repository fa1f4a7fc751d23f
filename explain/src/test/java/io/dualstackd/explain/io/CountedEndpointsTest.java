package io.dualstackd.explain.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.explain.Agreement;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A packet is explained where the kernel counts the connections of each endpoint. */
@Tag("kernel")
final class CountedEndpointsTest {
    private static final IpFamily FAMILY = IpFamily.IPV4;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void asWithoutCounters(boolean affinity) throws Exception {
        NodeView node = Samples.node(FAMILY);
        ServiceViewBuilder service = ServiceViewBuilder.service(
                        "web", Samples.clusterIp(FAMILY, 7).toString())
                .endpoints(Samples.podIp(FAMILY, 7, 1) + ", " + Samples.podIp(FAMILY, 7, 2), 8080);
        ServiceView view = (affinity ? service.affinity(60) : service).view();
        Planner planner = Planner.of(node);
        ServicePlan plan = planner.plan(view);
        ServicePort port = service.servicePort();
        Packet packet = new Packet(
                Samples.podIp(FAMILY, 200, 1),
                new Packet.Origin.Interface("eth0"),
                port.clusterIp(),
                port.name().protocol(),
                port.port());
        PacketFate fate = new PacketOracle(ProxyMode.NFTABLES, planner, List.of(plan)).fate(packet);
        assertThat(fate).isInstanceOf(PacketFate.Forwarded.class);
        try (NetNs ns = FreshNetNs.create();
                NftClient kernel = NftClient.open(ns);
                ViewSyncer syncer = new ViewSyncer(NftablesSyncer.of(
                        TableForm.countingEndpoints(FAMILY), () -> NlSocket.open(NlProtocol.NETFILTER, ns)))) {
            assertThat(syncer.run(node, Map.of(view.key(), Optional.of(view))).result())
                    .isEqualTo(new Result.InForce());
            assertThat(Agreement.of(
                            fate, TableVerifier.verify(kernel, FAMILY, packet, Set.copyOf(node.addresses())), false))
                    .isEqualTo(new Agreement.Agrees());
        }
    }
}
