package io.dualstackd.dataplane.counters.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.netns.NetNsCommands;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters of each endpoint in nftables mode: what servers accept is what is counted. All other counts are as without them. */
@Tag("kernel")
final class EndpointConnectionCountsTest extends ConnectionCountsContract {
    private static final int FIRST_PORT = 9000;
    private static final int BACKLOG = 512;
    private final Map<Integer, ServerSocketChannel> servers = new TreeMap<>();
    private final Map<Integer, Long> accepted = new TreeMap<>();

    @Override
    Counted counted(IpFamily of) {
        return counted(TableForm.countingEndpoints(of));
    }

    private Counted counted(TableForm form) {
        NftablesSyncer syncer = NftablesSyncer.of(form, () -> NlSocket.open(NlProtocol.NETFILTER, ns));
        return new Counted(
                new ViewSyncer(syncer),
                new ElementConnectionCounts(
                        form.family(), NetlinkSockets.of(ns), syncer.counters(), syncer.endpointCounters()));
    }

    @AfterEach
    void closeServers() throws Exception {
        for (ServerSocketChannel server : servers.values()) {
            server.close();
        }
    }

    private static InetSocketAddress at(Ip ip, int port) throws Exception {
        return new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port);
    }

    private void serve(int count) throws Exception {
        for (int port : ports(count)) {
            servers.put(port, ns.call(() -> {
                ServerSocketChannel server = ServerSocketChannel.open().bind(at(own(), port), BACKLOG);
                server.configureBlocking(false);
                return server;
            }));
        }
    }

    private static List<Integer> ports(int count) {
        return IntStream.range(FIRST_PORT, FIRST_PORT + count).boxed().toList();
    }

    /** Makes connections, and counts which server accepts each of them. */
    private void talk(Ip to, int port, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            try (SocketChannel client = ns.call(() -> SocketChannel.open(at(to, port)))) {
                assertThat(client.isConnected()).isTrue();
            }
        }
        // A client may be connected a moment before its server knows of it.
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        for (int missing = times; missing > 0 && System.nanoTime() - end < 0; ) {
            missing -= accept();
        }
    }

    /** Returns how many connections there were to accept. */
    private int accept() throws Exception {
        int count = 0;
        for (Map.Entry<Integer, ServerSocketChannel> server : servers.entrySet()) {
            for (SocketChannel one = server.getValue().accept();
                    one != null;
                    one = server.getValue().accept()) {
                one.close();
                accepted.merge(server.getKey(), 1L, Long::sum);
                count++;
            }
        }
        return count;
    }

    private ServiceViewBuilder on(List<Integer> ports) {
        ServiceViewBuilder service =
                numbered(1, false).nodePort(NODE_PORT).externalIps(external().toString());
        ports.forEach(port -> service.endpoints(own().toString(), port));
        return service;
    }

    private Map<Integer, Long> shown(ServiceViewBuilder service, List<Integer> ports) {
        ServicePort port = service.servicePort();
        EndpointCounts counts = counts().endpoints(ports.stream()
                .map(number -> new CountedEndpoint(port, new IpPort(own(), number)))
                .toList());
        assertThat(counts.failed()).isEmpty();
        Map<Integer, Long> shown = new TreeMap<>();
        counts.connections()
                .forEach((endpoint, number) -> shown.put(endpoint.address().port(), number));
        return shown;
    }

    private Map<Integer, Long> accepted(List<Integer> ports) {
        Map<Integer, Long> expected = new HashMap<>();
        ports.forEach(port -> expected.put(port, accepted.getOrDefault(port, 0L)));
        return expected;
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void everyConnectionIsCountedAtItsEndpoint(IpFamily of) throws Exception {
        start(of);
        List<Integer> three = ports(3);
        serve(3);
        run(one(on(three).view()));
        assertThat(shown(on(three), three)).isEqualTo(Map.of(9000, 0L, 9001, 0L, 9002, 0L));
        talk(clusterIp(1), 80, 60);
        talk(external(), 80, 90);
        talk(own(), NODE_PORT, 120);
        assertThat(accepted.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(270);
        assertThat(shown(on(three), three)).isEqualTo(accepted(three));
        refresh();
        assertThat(connections()).isEqualTo(60);
    }

    /** More slots than one request asks for, fewer than the port has endpoints, and none. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void readsAnyNumberOfSlots(IpFamily of) throws Exception {
        start(of);
        List<Integer> all = ports(300);
        serve(300);
        run(one(on(all).view()));
        talk(clusterIp(1), 80, 200);
        assertThat(shown(on(all), all)).isEqualTo(accepted(all));
        run(one(on(all.subList(0, 130)).view()));
        assertThat(shown(on(all), all)).as("asked for more than there are").isEqualTo(accepted(all));
        run(one(on(all).view()));
        assertThat(shown(on(all), all.subList(0, 2)))
                .as("asked for fewer than there are")
                .isEqualTo(accepted(all.subList(0, 2)));
        run(one(on(List.of()).view()));
        assertThat(counts().endpoints(List.of())).isEqualTo(EndpointCounts.NONE);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void noCountThatWasReadIsLostByAChange(IpFamily of) throws Exception {
        start(of);
        List<Integer> four = ports(4);
        serve(4);
        run(one(on(four).view()));
        talk(clusterIp(1), 80, 40);
        assertThat(shown(on(four), four)).isEqualTo(accepted(four));

        // The last endpoint moves to the slot of the first.
        List<Integer> three = four.subList(1, 4);
        run(one(on(three).view()));
        talk(clusterIp(1), 80, 30);
        talk(own(), NODE_PORT, 30);
        assertThat(shown(on(three), three)).isEqualTo(accepted(three));

        flush();
        syncer().invalidateAll();
        run(Map.of());
        talk(external(), 80, 30);
        assertThat(shown(on(three), three)).as("after a flush").isEqualTo(accepted(three));

        run(Map.of(on(three).view().key(), Optional.empty()));
        accepted.clear();
        run(one(on(three).view()));
        talk(clusterIp(1), 80, 12);
        assertThat(shown(on(three), three)).as("of a new Service").isEqualTo(accepted(three));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aRestartChangesNothingAndKeepsTheCounts(IpFamily of) throws Exception {
        start(of);
        List<Integer> three = ports(3);
        serve(3);
        run(one(on(three).view()));
        talk(clusterIp(1), 80, 30);
        talk(own(), NODE_PORT, 30);

        syncer().close();
        start(of);
        SyncResult again = syncer().run(Samples.node(of), one(on(three).view()));
        assertThat(again.result()).isEqualTo(new Result.InForce());
        assertThat(again.work()).isEqualTo(SyncResult.Work.NONE);
        assertThat(shown(on(three), three)).isEqualTo(accepted(three));
        talk(external(), 80, 30);
        assertThat(shown(on(three), three)).isEqualTo(accepted(three));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void withSessionAffinity(IpFamily of) throws Exception {
        start(of);
        List<Integer> three = ports(3);
        serve(3);
        run(one(on(three).affinity(600).view()));
        talk(clusterIp(1), 80, 20);
        talk(own(), NODE_PORT, 10);
        assertThat(accepted.values()).as("of one client").anyMatch(number -> number >= 20);
        assertThat(shown(on(three).affinity(600), three)).isEqualTo(accepted(three));

        run(one(on(three).affinity(500).view()));
        talk(clusterIp(1), 80, 20);
        assertThat(shown(on(three).affinity(500), three))
                .as("after the rules were written anew")
                .isEqualTo(accepted(three));

        syncer().close();
        start(of);
        SyncResult again =
                syncer().run(Samples.node(of), one(on(three).affinity(500).view()));
        assertThat(again.work()).isEqualTo(SyncResult.Work.NONE);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void withoutTheSettingThereIsNoCounter(IpFamily of) throws Exception {
        start(of);
        serve(2);
        run(one(on(ports(2)).view()));
        String table = of == IpFamily.IPV4 ? "ip" : "ip6";
        NetNsCommands commands = new NetNsCommands(ns);
        List<String> maps = List.of("endpoints", "local-endpoints", "node-port-endpoints", "local-node-port-endpoints");
        for (String map : maps) {
            assertThat(commands.run("nft", "list", "map", table, "dualstackd", map))
                    .contains("counter");
        }

        syncer().close();
        try (ViewSyncer plain = counted(TableForm.plain(of)).syncer()) {
            assertThat(plain.run(Samples.node(of), one(on(ports(2)).view())).result())
                    .isEqualTo(new Result.InForce());
        }
        for (String map : maps) {
            assertThat(commands.run("nft", "list", "map", table, "dualstackd", map))
                    .doesNotContain("counter");
        }
        Counted uncounted = counted(TableForm.plain(of));
        assertThat(uncounted
                        .counts()
                        .endpoints(List.of(
                                new CountedEndpoint(on(ports(2)).servicePort(), new IpPort(own(), FIRST_PORT)))))
                .isEqualTo(EndpointCounts.NONE);
    }
}
