package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows 18, 19 and 24: what the kernel thinks of single connections. */
interface FlowRows {
    int PORT = 9000;
    int TIMEOUT_MS = 60_000;

    NodeUnderTest node();

    /** A connection from a pod through a ClusterIP to a pod on the other node, both ends in hand. */
    record Connection(Socket client, Socket server) implements AutoCloseable {
        String receive(int bytes) throws Exception {
            return new String(client.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
        }

        @Override
        public void close() throws Exception {
            client.close();
            server.close();
        }
    }

    private Connection connect(LabMap map, int number) throws Exception {
        NetNs rack = node().lab().hostOf(Sender.R1).ns();
        try (ServerSocketChannel listener =
                rack.call(() -> ServerSocketChannel.open().bind(at(map.remotePod(1), PORT)))) {
            Socket client = node().lab().hostOf(Sender.POD).ns().call(() -> {
                SocketChannel channel = SocketChannel.open();
                channel.socket().connect(at(map.clusterIp(number), PORT), TIMEOUT_MS);
                channel.socket().setSoTimeout(TIMEOUT_MS);
                return channel.socket();
            });
            return new Connection(client, listener.accept().socket());
        }
    }

    private static InetSocketAddress at(Ip ip, int port) throws Exception {
        return new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port);
    }

    private LabService serving(String name, int number) throws Exception {
        LabService service = LabService.of(name, number)
                .port("t", "TCP", PORT, 0)
                .slice("one", "{name: t, port: %d, protocol: TCP}".formatted(PORT), "R1");
        node().put(service);
        return service;
    }

    /** Until the rules are there, nothing answers; then the connection is refused. */
    private void awaitRules(LabMap map, int number) {
        node().await(map, Sender.POD, map.clusterIp(number), PORT, Proto.TCP, "refused");
    }

    /**
     * The server's kernel is made to send a segment that begins and ends a connection at once, which conntrack calls INVALID. The node
     * must not let it through untranslated: the client would answer it with a reset, and the server would believe that.
     */
    @ParameterizedTest
    @EnumSource
    default void row18AnInvalidSegmentEndsNoConnection(LabMap map) throws Exception {
        LabService service = serving("invalid", 18);
        awaitRules(map, 18);
        NetNsCommands server = new NetNsCommands(node().lab().hostOf(Sender.R1).ns());
        NetNsCommands client = new NetNsCommands(node().lab().hostOf(Sender.POD).ns());
        String ip = map.family() == IpFamily.IPV4 ? "ip" : "ip6";
        try (Connection connection = connect(map, 18)) {
            connection.server().getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            assertThat(connection.receive(5)).isEqualTo("hello");
            rule(client, ip, "tcp flags & rst == rst counter");
            rule(
                    server,
                    ip,
                    "tcp sport %d tcp flags & psh == psh counter tcp flags set fin | syn | psh | ack".formatted(PORT));
            connection.server().getOutputStream().write("boom!!!".getBytes(StandardCharsets.US_ASCII));
            eventually()
                    .untilAsserted(() -> assertThat(packets(server.ruleset())).isPositive());
            // From here on the server's kernel repeats what was not acknowledged, and says it right.
            server.run("nft", "delete", "table", ip, "watch");
            assertThat(connection.receive(7)).isEqualTo("boom!!!");
            assertThat(packets(client.ruleset()))
                    .as("resets sent by the client")
                    .isZero();
        }
        client.run("nft", "delete", "table", ip, "watch");
        node().remove(service);
    }

    private static void rule(NetNsCommands host, String family, String rule) throws Exception {
        String script = """
                table %s watch {
                  chain out {
                    type filter hook output priority 0
                    %s
                  }
                }
                """.formatted(family, rule);
        host.feed(script, "nft", "-f", "-");
    }

    private static int packets(String ruleset) {
        Matcher counter = Pattern.compile("counter packets (\\d+)").matcher(ruleset);
        assertThat(counter.find()).as(ruleset).isTrue();
        return Integer.parseInt(counter.group(1));
    }

    @ParameterizedTest
    @EnumSource
    default void row19AHalfClosedConnectionIsRememberedForAnHour(LabMap map) throws Exception {
        LabService service = serving("closing", 19);
        awaitRules(map, 19);
        NetNsCommands kernel = node().host().commands();
        try (Connection connection = connect(map, 19)) {
            connection.server().shutdownOutput();
            assertThat(connection.client().getInputStream().read()).isEqualTo(-1);
            eventually()
                    .untilAsserted(() -> assertThat(closeWaitSeconds(kernel, map, map.clusterIp(19)))
                            .allSatisfy(seconds -> assertThat(seconds).isBetween(3540, 3600))
                            .isNotEmpty());
        }
        node().remove(service);
    }

    private static List<Integer> closeWaitSeconds(NetNsCommands kernel, LabMap map, Ip to) throws Exception {
        String family = map.family() == IpFamily.IPV4 ? "ipv4" : "ipv6";
        return kernel.run("conntrack", "-L", "-f", family, "-p", "tcp", "-d", to.toString())
                .lines()
                .filter(line -> line.contains(" CLOSE_WAIT "))
                .map(line -> Integer.parseInt(line.strip().split("\\s+", -1)[2]))
                .toList();
    }

    /** More than one packet of 1,500 bytes, there and back. */
    @ParameterizedTest
    @EnumSource
    default void row24LargeDatagramsInFragments(LabMap map) throws Exception {
        String[] questions = {"n" + "o".repeat(1999), "n" + "o".repeat(8999)};
        try (PodServer local = PodServer.start(node().lab().pod(1), "L1", map.localPod(1), 9400);
                PodServer remote =
                        PodServer.start(node().lab().hostOf(Sender.R1).ns(), "R1", map.remotePod(1), 9400)) {
            LabService service = LabService.of("large", 24)
                    .spec("type: NodePort")
                    .port("u", "UDP", 90, 30024)
                    .slice("one", "{name: u, port: 9400, protocol: UDP}", "L1, R1");
            node().put(service);
            for (Sender from : new Sender[] {Sender.POD, Sender.NODE, Sender.CLIENT}) {
                echo(map, from, map.clusterIp(24), 90, questions);
                echo(map, from, map.node(), 30024, questions);
            }
            node().remove(service);
        }
    }

    /** A megabyte, there and back: many full segments, whose size neither side may exceed. */
    @ParameterizedTest
    @EnumSource
    default void row24LargeRequestsOverTcp(LabMap map) throws Exception {
        byte[] question = new byte[1_000_000];
        new Random(24).nextBytes(question);
        try (TcpEcho local = TcpEcho.start(node().lab().pod(1), map.localPod(1), 9400);
                TcpEcho remote = TcpEcho.start(node().lab().hostOf(Sender.R1).ns(), map.remotePod(1), 9400)) {
            LabService service = LabService.of("large", 24)
                    .spec("type: NodePort")
                    .port("t", "TCP", 91, 30024)
                    .slice("one", "{name: t, port: 9400, protocol: TCP}", "L1, R1");
            node().put(service);
            for (Sender from : new Sender[] {Sender.POD, Sender.NODE, Sender.CLIENT}) {
                NetNs ns = node().lab().hostOf(from).ns();
                eventually().ignoreExceptions().untilAsserted(() -> {
                    assertThat(TcpEcho.ask(ns, map.clusterIp(24), 91, question)).isEqualTo(question);
                    assertThat(TcpEcho.ask(ns, map.node(), 30024, question)).isEqualTo(question);
                });
            }
            node().remove(service);
        }
    }

    private void echo(LabMap map, Sender from, Ip to, int port, String... questions) {
        for (String question : questions) {
            eventually().untilAsserted(() -> {
                try (UdpClient client =
                        UdpClient.open(node().lab().hostOf(from).ns(), from.address(map), 0, to, port)) {
                    assertThat(client.say(question))
                            .as("%s → %s:%d, %d bytes", from, to, port, question.length())
                            .isIn("L1 " + question, "R1 " + question);
                }
            });
        }
    }
}
