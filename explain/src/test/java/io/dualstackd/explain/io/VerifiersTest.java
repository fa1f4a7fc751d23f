package io.dualstackd.explain.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.explain.Agreement;
import io.dualstackd.explain.Evidence;
import io.dualstackd.explain.KernelFindings;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verifiers on a real kernel whose rules are as expected, and on one whose rules were changed. */
@Tag("kernel")
final class VerifiersTest {
    private static final int ENDPOINTS = 3;

    private final NetNs ns = FreshNetNs.create();

    VerifiersTest() throws Exception {}

    @ParameterizedTest
    @CsvSource({"IPTABLES, IPV4", "IPTABLES, IPV6", "NFTABLES, IPV4", "NFTABLES, IPV6"})
    void agreesUntilARuleIsChanged(ProxyMode mode, IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        ServiceView view = Samples.service(family, 7, ENDPOINTS);
        Planner planner = Planner.of(node);
        ServicePlan plan = planner.plan(view);
        ServicePort port = plan.ports().getFirst().port();
        Packet packet = new Packet(
                Samples.podIp(family, 200, 1),
                new Packet.Origin.Interface("eth0"),
                port.clusterIp(),
                port.name().protocol(),
                port.port());
        PacketFate fate = new PacketOracle(mode, planner, List.of(plan)).fate(packet);
        assertThat(fate)
                .isInstanceOfSatisfying(
                        PacketFate.Forwarded.class,
                        forwarded -> assertThat(forwarded.hops()).hasSize(ENDPOINTS));
        try (ViewSyncer syncer = new ViewSyncer(pass(mode, family))) {
            assertThat(syncer.run(node, Map.of(view.key(), Optional.of(view))).result())
                    .isEqualTo(new Result.InForce());
        }

        KernelFindings well = ask(mode, node, plan, packet);
        assertThat(Agreement.of(fate, well, false)).isEqualTo(new Agreement.Agrees());
        assertThat(well)
                .isInstanceOfSatisfying(
                        KernelFindings.Found.class,
                        given -> assertThat(given.met())
                                .extracting(Evidence::object)
                                .anyMatch(object -> object.contains(port.name().toString()))
                                .anyMatch(object -> object.contains(
                                                Samples.podIp(family, 7, 0).toString())
                                        || object.contains(
                                                Samples.podIp(family, 7, 1).toString())));

        tamper(mode, family);
        assertThat(Agreement.of(fate, ask(mode, node, plan, packet), false)).isInstanceOf(Agreement.Differs.class);
        ns.close();
    }

    private Syncer pass(ProxyMode mode, IpFamily family) {
        NetlinkKernel.Open open = () -> NlSocket.open(NlProtocol.NETFILTER, ns);
        return switch (mode) {
            case IPTABLES -> IptablesSyncer.of(family, open);
            case NFTABLES -> NftablesSyncer.of(family, open);
            case IPVS -> throw new IllegalArgumentException("the kernel of this test need not have IPVS");
        };
    }

    private KernelFindings ask(ProxyMode mode, NodeView node, ServicePlan plan, Packet packet) throws Exception {
        Set<Ip> own = Set.copyOf(node.addresses());
        return switch (mode) {
            case IPTABLES ->
                ChainsVerifier.of(() -> NlSocket.open(NlProtocol.NETFILTER, ns), NodePlanner.plan(node))
                        .verify(List.of(plan), packet, own, lists -> Set.of());
            case NFTABLES -> {
                try (NftClient kernel = NftClient.open(ns)) {
                    yield TableVerifier.verify(kernel, node.family(), packet, own);
                }
            }
            case IPVS -> throw new IllegalArgumentException("the kernel of this test need not have IPVS");
        };
    }

    private void tamper(ProxyMode mode, IpFamily family) throws Exception {
        NetNsCommands commands = new NetNsCommands(ns);
        switch (mode) {
            case IPTABLES -> {
                String tool = family == IpFamily.IPV4 ? "iptables" : "ip6tables";
                String chain = commands.run(tool, "-t", "nat", "-S")
                        .lines()
                        .filter(line -> line.startsWith("-N KUBE-SEP-"))
                        .findFirst()
                        .orElseThrow()
                        .substring(3);
                commands.run(tool, "-t", "nat", "-F", chain);
            }
            case NFTABLES ->
                commands.run("nft", "flush", "map", family == IpFamily.IPV4 ? "ip" : "ip6", "dualstackd", "endpoints");
            case IPVS -> throw new IllegalArgumentException("the kernel of this test need not have IPVS");
        }
    }
}
