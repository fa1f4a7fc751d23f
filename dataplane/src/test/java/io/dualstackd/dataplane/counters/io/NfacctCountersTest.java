package io.dualstackd.dataplane.counters.io;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.PacketCounters;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.Request;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.nft.NfHeader;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules count packets at the kernel's accounting objects, as kube-proxy's do. */
@Tag("kernel")
final class NfacctCountersTest {
    private static final int NODE_PORT = 30080;
    private static final ServiceView SERVICE = service("web", "172.30.0.1")
            .endpoints("192.0.2.10", 9)
            .nodePort(NODE_PORT)
            .view();

    private NetNs ns;
    private NfacctCounters objects;

    @BeforeEach
    void namespace() throws Exception {
        ns = FreshNetNs.create();
        NetNsCommands commands = new NetNsCommands(ns);
        commands.run("ip", "link", "set", "lo", "up");
        commands.run("ip", "address", "add", "192.0.2.10/32", "dev", "lo");
        objects = new NfacctCounters(NetlinkSockets.of(ns));
    }

    @AfterEach
    void close() throws Exception {
        ns.close();
    }

    @Test
    void connectionsToNodePortsOnLocalhostAreCountedOnTheirOwn() throws Exception {
        assertThat(objects.unavailable()).isEmpty();
        IptablesSyncer syncer = syncer(IpFamily.IPV4);
        try (ViewSyncer pass = new ViewSyncer(syncer)) {
            assertThat(pass.run(node(IpFamily.IPV4), Map.of(SERVICE.key(), Optional.of(SERVICE)))
                            .result())
                    .isEqualTo(new Result.InForce());
            connect("127.0.0.1", 3);
            connect("192.0.2.10", 2);

            assertThat(objects.read())
                    .isEqualTo(Map.of(PacketCounters.LOCALHOST_NODE_PORTS, 3L, PacketCounters.INVALID_DROPPED, 0L));
            RuleConnectionCounts counts = RuleConnectionCounts.of(
                    IpFamily.IPV4, NetlinkSockets.of(ns), syncer.counters().orElseThrow());
            assertThat(counts.refresh()).isEmpty();
            assertThat(counts.nodePort(Proto.TCP, NODE_PORT).connections())
                    .as("of the Service, those on localhost included")
                    .isEqualTo(5);
            assertThat(counts.total().connections()).isEqualTo(5);
        }
        String chain = ChainNames.of(SERVICE.ports().getFirst().port().name()).external();
        assertThat(new NetNsCommands(ns)
                        .run("iptables-nft-save", "-t", "nat")
                        .lines()
                        .filter(rule -> rule.contains("30080")))
                .containsExactly(
                        "-A KUBE-NODEPORTS -d 127.0.0.0/8 -p tcp -m comment --comment \"ns/web:p\" -m tcp --dport 30080"
                                + " -m nfacct --nfacct-name  localhost_nps_accepted_pkts -j " + chain,
                        "-A KUBE-NODEPORTS -p tcp -m comment --comment \"ns/web:p\" -m tcp --dport 30080 -j " + chain);
    }

    @Test
    void rulesThatNameObjectsAreFoundAgain() throws Exception {
        for (IpFamily family : IpFamily.values()) {
            ServiceView service = family == IpFamily.IPV4
                    ? SERVICE
                    : service("web", "fd00:30::1")
                            .endpoints("2001:db8::10", 9)
                            .nodePort(NODE_PORT)
                            .view();
            String tool = family == IpFamily.IPV4 ? "iptables-nft" : "ip6tables-nft";
            assertThat(fresh(family, service).work().messages()).isPositive();
            assertThat(new NetNsCommands(ns).run(tool + "-save", "-t", "filter"))
                    .contains("-A KUBE-FORWARD -m conntrack --ctstate INVALID -m nfacct --nfacct-name "
                            + " ct_state_invalid_dropped_pkts -j DROP");
            assertThat(fresh(family, service).work().messages())
                    .as("after a restart")
                    .isZero();

            String saved = new NetNsCommands(ns).run(tool + "-save");
            new NetNsCommands(ns).feed(saved, tool + "-restore");
            assertThat(fresh(family, service).work().messages())
                    .as("after another program wrote the rules anew")
                    .isZero();
        }
    }

    @Test
    void theRuleThatCountsStaysFirst() throws Exception {
        NetNsCommands commands = new NetNsCommands(ns);
        assertThat(fresh(IpFamily.IPV4, SERVICE).result()).isEqualTo(new Result.InForce());
        String whole = commands.run("iptables-nft", "-t", "nat", "-S", "KUBE-NODEPORTS");
        for (String position : new String[] {"1", "2"}) {
            commands.run("iptables-nft", "-t", "nat", "-D", "KUBE-NODEPORTS", position);
            assertThat(fresh(IpFamily.IPV4, SERVICE).result()).isEqualTo(new Result.InForce());
            assertThat(commands.run("iptables-nft", "-t", "nat", "-S", "KUBE-NODEPORTS"))
                    .isEqualTo(whole);
        }
    }

    @Test
    void rulesOfIptablesLegacyNameThem() throws Exception {
        assertThat(objects.unavailableInLegacy(ns)).isEmpty();
        XtablesLock lock = new XtablesLock(Path.of("target/nfacct.lock"), Duration.ofSeconds(20));
        for (boolean first : new boolean[] {true, false}) {
            IptablesSyncer syncer = IptablesSyncer.ofLegacy(
                            IpFamily.IPV4, () -> XtTableClient.open(IpFamily.IPV4, ns), lock)
                    .countingAt(objects);
            try (ViewSyncer pass = new ViewSyncer(syncer)) {
                SyncResult result = pass.run(node(IpFamily.IPV4), Map.of(SERVICE.key(), Optional.of(SERVICE)));
                assertThat(result.result()).isEqualTo(new Result.InForce());
                assertThat(result.work().messages() > 0).as("changes").isEqualTo(first);
            }
        }
        connect("127.0.0.1", 3);
        assertThat(objects.read()).containsEntry(PacketCounters.LOCALHOST_NODE_PORTS, 3L);
        assertThat(new NetNsCommands(ns).run("iptables-legacy-save", "-t", "filter"))
                .contains("-m nfacct --nfacct-name  ct_state_invalid_dropped_pkts -j DROP");
    }

    @Test
    void recreatesDeletedObject() throws Exception {
        assertThat(fresh(IpFamily.IPV4, SERVICE).result()).isEqualTo(new Result.InForce());
        new NetNsCommands(ns).feed("flush ruleset", "nft", "-f", "-");
        deleteUnused();
        assertThat(objects.read()).isEmpty();
        assertThat(fresh(IpFamily.IPV4, SERVICE).result()).isEqualTo(new Result.InForce());
        assertThat(objects.read()).hasSize(2);
    }

    private SyncResult fresh(IpFamily family, ServiceView service) {
        try (ViewSyncer pass = new ViewSyncer(syncer(family))) {
            return pass.run(node(family), Map.of(service.key(), Optional.of(service)));
        }
    }

    private IptablesSyncer syncer(IpFamily family) {
        return IptablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns))
                .countingAt(objects);
    }

    private static NodeView node(IpFamily family) {
        return NodeViewBuilder.node(family)
                .localhostNodePorts(true)
                .nfacct(true)
                .view();
    }

    /** {@code NFNL_MSG_ACCT_DEL} without a name. */
    private void deleteUnused() throws Exception {
        try (NetlinkConnection kernel = new NetlinkConnection(NlSocket.open(NlProtocol.NETFILTER, ns))) {
            kernel.request(new Request("delete nfacct", 0x703, 0, writer -> NfHeader.write(writer, NftFamily.ALL)));
        }
    }

    private void connect(String to, int times) throws Exception {
        ns.call(() -> {
            for (int i = 0; i < times; i++) {
                try (SocketChannel channel = SocketChannel.open()) {
                    channel.configureBlocking(false);
                    boolean ignored = channel.connect(new InetSocketAddress(to, NODE_PORT));
                } catch (IOException e) {
                    // Refused: counted all the same.
                }
            }
            return null;
        });
    }
}
