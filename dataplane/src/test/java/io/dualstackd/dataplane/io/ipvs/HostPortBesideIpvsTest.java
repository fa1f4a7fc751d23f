package io.dualstackd.dataplane.io.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A rule for a port of all local addresses, as a pod's {@code hostPort} makes one, does not take what is sent to a Service. Here a
 * program listens at the address of the Service, in place of IPVS.
 */
@Tag("kernel")
final class HostPortBesideIpvsTest {
    private static final int TIMEOUT = 5_000;

    @ParameterizedTest
    @CsvSource({"IPV4, false", "IPV4, true", "IPV6, false", "IPV6, true"})
    void connectionsReachTheService(IpFamily family, boolean knownNetwork) throws Exception {
        ServiceView service = Samples.service(family, 1, 1);
        String clusterIp = service.ports().getFirst().port().clusterIp().toString();
        int port = service.ports().getFirst().port().port();
        boolean four = family == IpFamily.IPV4;
        NodeViewBuilder builder = NodeViewBuilder.node(family);
        if (knownNetwork) {
            builder.serviceCidrs(clusterIp + (four ? "/32" : "/128"));
        }
        NodeView node = builder.view();
        try (NetNs ns = FreshNetNs.create();
                ViewSyncer syncer = new ViewSyncer(IptablesSyncer.of(
                        family,
                        () -> NlSocket.open(NlProtocol.NETFILTER, ns),
                        new Generations(),
                        new RuleSetGate(),
                        IptablesLayout::aroundServers))) {
            NetNsCommands commands = new NetNsCommands(ns);
            commands.run("ip", "link", "set", "lo", "up");
            commands.run("ip", "address", "add", clusterIp + (four ? "/32" : "/128"), "dev", "lo", "nodad");
            try (ServerSocket ofService = listen(ns, clusterIp, port);
                    ServerSocket ofHostPort = listen(ns, four ? "127.0.0.1" : "::1", 9_999)) {
                commands.run(
                        four ? "iptables-nft" : "ip6tables-nft",
                        "-t",
                        "nat",
                        "-A",
                        "OUTPUT",
                        "-m",
                        "addrtype",
                        "--dst-type",
                        "LOCAL",
                        "-p",
                        "tcp",
                        "--dport",
                        Integer.toString(port),
                        "-j",
                        "DNAT",
                        "--to-destination",
                        four ? "127.0.0.1:9999" : "[::1]:9999");
                assertThat(connected(ns, clusterIp, port, ofHostPort))
                        .as("without rules of ours")
                        .isTrue();
                assertThat(syncer.run(node, Map.of(service.key(), Optional.of(service)))
                                .result())
                        .isEqualTo(new Result.InForce());
                assertThat(connected(ns, clusterIp, port, ofService)).isTrue();
            }
        }
    }

    private static ServerSocket listen(NetNs ns, String address, int port) throws Exception {
        ServerSocket socket = ns.call(() -> {
            ServerSocket unbound = new ServerSocket();
            unbound.setReuseAddress(true);
            unbound.bind(new InetSocketAddress(InetAddress.getByName(address), port));
            return unbound;
        });
        socket.setSoTimeout(TIMEOUT);
        return socket;
    }

    /** Whether a connection arrives there. */
    private static boolean connected(NetNs ns, String address, int port, ServerSocket at) throws Exception {
        try (Socket client = ns.call(() -> {
                    Socket socket = new Socket();
                    socket.connect(new InetSocketAddress(InetAddress.getByName(address), port), TIMEOUT);
                    return socket;
                });
                Socket accepted = at.accept()) {
            return client.isConnected() && accepted.isConnected();
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
