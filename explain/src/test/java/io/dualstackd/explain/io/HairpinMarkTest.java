package io.dualstackd.explain.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.explain.HostPath;
import io.dualstackd.explain.HostPath.Verdict;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An endpoint that connects to itself through its Service: the rules of Services, and rules of others that look at the mark. */
@Tag("kernel")
final class HairpinMarkTest {
    private static final String SELF = "10.0.0.1";

    private final NetNs ns = FreshNetNs.create();

    HairpinMarkTest() throws Exception {
        try (RouteClient host = RouteClient.open(ns)) {
            int lo = host.indexOf("lo");
            host.change(lo, new LinkChange.Up());
            host.add(Address.of(lo, Ip.parse(SELF), 32));
        }
        new NetNsCommands(ns).run("ip", "route", "add", "default", "dev", "lo");
    }

    @AfterEach
    void close() {
        ns.close();
    }

    /** The masquerade of clients that are no pods marks a packet in both modes, the one of hairpins in iptables mode only. */
    @ParameterizedTest
    @CsvSource({
        "NFTABLES, 10.0.0.0/8, 0x4000, PASSES",
        "NFTABLES, 10.0.0.0/8, 0, DROPS",
        "NFTABLES, 10.9.0.0/16, 0x4000, DROPS",
        "NFTABLES, 10.9.0.0/16, 0, PASSES",
        "IPTABLES, 10.0.0.0/8, 0x4000, DROPS",
        "IPTABLES, 10.0.0.0/8, 0, PASSES",
        "IPTABLES, 10.9.0.0/16, 0x4000, DROPS"
    })
    void aRuleThatMatchesTheMarkIsJudgedAsTheKernelAppliesIt(ProxyMode mode, String pods, String mark, Verdict verdict)
            throws Exception {
        NodeView node =
                NodeViewBuilder.node(IpFamily.IPV4).addresses(SELF).podsIn(pods).view();
        ServiceView service = ServiceViewBuilder.service("dns", "10.96.0.10")
                .protocols(Proto.UDP)
                .endpoints(SELF + " l", 8080)
                .view();
        try (ViewSyncer syncer = new ViewSyncer(syncer(mode))) {
            assertThat(syncer.run(node, Map.of(service.key(), Optional.of(service)))
                            .result())
                    .isEqualTo(new Result.InForce());
        }
        new NetNsCommands(ns)
                .feed(
                        "table ip wall { chain out { type filter hook output priority 5; policy accept;"
                                + " ip daddr " + SELF + " udp dport 8080 meta mark and 0x4000 == " + mark
                                + " drop; }; }",
                        "nft",
                        "-f",
                        "-");
        Packet packet = new Packet(Ip.parse(SELF), new Packet.Origin.ThisNode(), Ip.parse("10.96.0.10"), Proto.UDP, 80);
        Planner planner = Planner.of(node);
        PacketFate fate = new PacketOracle(mode, planner, List.of(planner.plan(service))).fate(packet);
        assertThat(fate)
                .isInstanceOfSatisfying(
                        PacketFate.Forwarded.class,
                        forwarded -> assertThat(forwarded.hops())
                                .singleElement()
                                .satisfies(hop -> assertThat(hop.masqueraded()).isTrue()));

        assertThat(isSent()).as("what the kernel does").isEqualTo(verdict == Verdict.PASSES);
        assertThat(HostPathTracer.trace(
                                ns, mode, packet, fate, planner.nodePlan().masqueradeMark())
                        .orElseThrow()
                        .legs())
                .singleElement()
                .extracting(HostPath.Leg::verdict)
                .isEqualTo(verdict);
    }

    private Syncer syncer(ProxyMode mode) {
        NetlinkKernel.Open open = () -> NlSocket.open(NlProtocol.NETFILTER, ns);
        return mode == ProxyMode.NFTABLES
                ? NftablesSyncer.of(IpFamily.IPV4, open)
                : IptablesSyncer.of(IpFamily.IPV4, open);
    }

    /** The kernel reports to the sender that a rule of hook output dropped the packet. */
    private boolean isSent() throws Exception {
        return ns.call(() -> {
            try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(SELF, 0))) {
                socket.send(new DatagramPacket(new byte[1], 1, new InetSocketAddress("10.96.0.10", 80)));
                return true;
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("not permitted");
                return false;
            }
        });
    }
}
