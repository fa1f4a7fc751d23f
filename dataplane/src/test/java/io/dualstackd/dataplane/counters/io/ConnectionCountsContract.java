package io.dualstackd.dataplane.counters.io;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real connections are counted exactly, and no count that was read is lost by a change, a flush or a restart, in each mode that counts. */
@Tag("kernel")
abstract class ConnectionCountsContract {
    private static final int SERVICES = 50;
    private static final int EACH = 100;
    static final int NODE_PORT = 30080;
    private static final int CHANGES = 100;

    NetNs ns;
    private IpFamily family = IpFamily.IPV4;
    private Optional<Counted> running = Optional.empty();

    /** What brings rules into the kernel, and what counts connections there. */
    record Counted(ViewSyncer syncer, ConnectionCounts counts) {}

    /** Those of a mode, in the namespace. */
    abstract Counted counted(IpFamily of);

    /** What is counted of attempts of the node itself that come to nothing. */
    long lostOfTheNode(long attempts) {
        return attempts;
    }

    /** What a process shows that was started after a flush: all, or what was counted since then. */
    long afterFlushAndRestart(long all, long sinceThen) {
        return all;
    }

    /** Removes all rules and their counters, as another program. */
    void flush() throws Exception {
        new NetNsCommands(ns).feed("flush ruleset", "nft", "-f", "-");
    }

    @BeforeEach
    void namespace() throws Exception {
        ns = FreshNetNs.create();
        NetNsCommands commands = new NetNsCommands(ns);
        commands.run("ip", "link", "set", "lo", "up");
        for (String address : new String[] {"192.0.2.10", "2001:db8::10"}) {
            addAddress(Ip.parse(address));
        }
        for (String range : new String[] {"172.30.0.0/16", "198.51.100.0/24", "fd00:30::/112", "2001:db8:1::/64"}) {
            commands.run("ip", "route", "add", range, "dev", "lo");
        }
    }

    @AfterEach
    void close() throws Exception {
        running.ifPresent(each -> each.syncer().close());
        ns.close();
    }

    void addAddress(Ip ip) throws Exception {
        NetNsCommands commands = new NetNsCommands(ns);
        commands.run("ip", "address", "add", ip + "/" + ip.family().bits(), "dev", "lo");
        // The kernel adds the route to an IPv6 address a moment after the address; the command fails without any.
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> commands.run("ip", "route", "get", ip.toString()).startsWith("local"));
    }

    IpFamily family() {
        return family;
    }

    void start(IpFamily of) {
        family = of;
        running = Optional.of(counted(of));
    }

    ViewSyncer syncer() {
        return running.orElseThrow().syncer();
    }

    ConnectionCounts counts() {
        return running.orElseThrow().counts();
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void everyConnectionIsCountedOnce(IpFamily of) throws Exception {
        start(of);
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            put(all, numbered(n, true).view());
        }
        run(all);
        for (int n = 0; n < SERVICES; n++) {
            connect(clusterIp(n), 80, EACH);
        }
        refresh();
        for (int n = 0; n < SERVICES; n++) {
            assertThat(counts().clusterIp(clusterIp(n), Proto.TCP, 80)).isEqualTo(new Attempts(EACH, 0, 0));
        }
        assertThat(counts().total()).isEqualTo(new Attempts(SERVICES * EACH, 0, 0));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void byKindOfAddress(IpFamily of) throws Exception {
        start(of);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 1);
        connect(external(), 80, 2);
        connect(own(), NODE_PORT, 3);
        // Not an address of the node: nothing answers there.
        connect(external(), NODE_PORT, 4);
        refresh();
        assertThat(counts().clusterIp(clusterIp(1), Proto.TCP, 80)).isEqualTo(new Attempts(1, 0, 0));
        assertThat(counts().external(external(), Proto.TCP, 80)).isEqualTo(new Attempts(2, 0, 0));
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(3, 0, 0));

        run(one(outside(false).view()));
        connect(clusterIp(1), 80, 5);
        connect(own(), NODE_PORT, 6);
        refresh();
        assertThat(counts().clusterIp(clusterIp(1), Proto.TCP, 80)).isEqualTo(new Attempts(1, lostOfTheNode(5), 0));
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(3, lostOfTheNode(6), 0));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void dropsOfLocalPolicyAreNotConnections(IpFamily of) throws Exception {
        start(of);
        run(one(numbered(1, true).internalLocal().view()));
        connect(clusterIp(1), 80, 3);
        refresh();
        assertThat(counts().clusterIp(clusterIp(1), Proto.TCP, 80)).isEqualTo(new Attempts(0, 0, lostOfTheNode(3)));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void noCountIsLostThatWasRead(IpFamily of) throws Exception {
        start(of);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 7);
        connect(own(), NODE_PORT, 3);
        refresh();

        run(one(outside(false).view()));
        refresh();
        assertThat(connections()).as("while it has no endpoint").isEqualTo(7);
        connect(clusterIp(1), 80, 2);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("once it has one again").isEqualTo(8);

        flush();
        syncer().invalidateAll();
        run(Map.of());
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("after a flush").isEqualTo(9);
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT).connections()).isEqualTo(3);
        assertThat(counts().total().connections()).isEqualTo(12);

        syncer().close();
        start(of);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("after a restart").isEqualTo(afterFlushAndRestart(10, 2));
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT).connections()).isEqualTo(afterFlushAndRestart(3, 0));
    }

    /** Whatever a reading meets between two steps of a change. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void readWhileRulesChange(IpFamily of) throws Exception {
        start(of);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 7);
        connect(own(), NODE_PORT, 3);
        refresh();
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
            Future<Long> readings = reader.submit(() -> {
                long times = 0;
                while (!done.get() || times == 0) {
                    refresh();
                    assertThat(connections()).isEqualTo(7);
                    assertThat(counts().total().connections()).isEqualTo(10);
                    times++;
                }
                return times;
            });
            for (int i = 0; i < CHANGES; i++) {
                run(one(outside(i % 2 == 1).view()));
                if (i % 10 == 0) {
                    syncer().invalidateAll();
                }
            }
            done.set(true);
            assertThat(readings.get()).isPositive();
        }
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).isEqualTo(8);
    }

    /** Another program took the rule of a Service away together with its count, and the Service went before it was repaired. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void serviceDeletedWhileItsRulesAreMissing(IpFamily of) throws Exception {
        start(of);
        ServiceView first = numbered(1, true).view();
        run(one(first));
        connect(clusterIp(1), 80, 7);
        refresh();
        flush();
        syncer().invalidateAll();
        run(Map.of(first.key(), Optional.empty()));
        run(one(first));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).isEqualTo(1);
        assertThat(counts().total().connections()).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void anAddressOfAnotherServiceStartsAtZero(IpFamily of) throws Exception {
        start(of);
        ServiceView first = numbered(1, true).view();
        run(one(first));
        connect(clusterIp(1), 80, 7);
        refresh();
        run(Map.of(first.key(), Optional.empty()));
        run(one(service("other", clusterIp(1).toString())
                .endpoints(own().toString(), 9)
                .view()));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).isEqualTo(1);
        assertThat(counts().total().connections()).as("of both").isEqualTo(8);
    }

    /** Whichever of the two is looked at first. */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void anAddressThatMovesInOneSyncStartsAtZero(IpFamily of) throws Exception {
        start(of);
        ServiceView first = numbered(1, true).view();
        run(one(first));
        long seen = 0;
        ServiceView owner = first;
        for (String name : List.of("other", "tother")) {
            connect(clusterIp(1), 80, 7);
            refresh();
            seen += 7;
            ServiceView next = service(name, clusterIp(1).toString())
                    .endpoints(own().toString(), 9)
                    .view();
            run(new TreeMap<>(Map.of(owner.key(), Optional.empty(), next.key(), Optional.of(next))));
            owner = next;
            connect(clusterIp(1), 80, 1);
            refresh();
            seen += 1;
            assertThat(connections()).as(name).isEqualTo(1);
            assertThat(counts().total().connections())
                    .as("of all until " + name)
                    .isEqualTo(seen);
        }
    }

    void refresh() {
        assertThat(counts().refresh()).isEmpty();
    }

    long connections() {
        return counts().clusterIp(clusterIp(1), Proto.TCP, 80).connections();
    }

    void run(Map<ServiceKey, Optional<ServiceView>> changed) {
        assertThat(syncer().run(Samples.node(family), changed).result()).isEqualTo(new Result.InForce());
    }

    static Map<ServiceKey, Optional<ServiceView>> one(ServiceView view) {
        return Map.of(view.key(), Optional.of(view));
    }

    private static void put(Map<ServiceKey, Optional<ServiceView>> all, ServiceView view) {
        all.put(view.key(), Optional.of(view));
    }

    ServiceViewBuilder numbered(int n, boolean served) {
        ServiceViewBuilder service = service("svc" + n, clusterIp(n).toString());
        return served ? service.endpoints(own().toString(), 9) : service;
    }

    ServiceViewBuilder outside(boolean served) {
        return numbered(1, served).nodePort(NODE_PORT).externalIps(external().toString());
    }

    Ip clusterIp(int n) {
        return Ip.parse(family == IpFamily.IPV4 ? "172.30.0." + (n + 1) : "fd00:30::" + Integer.toHexString(n + 1));
    }

    Ip external() {
        return Ip.parse(family == IpFamily.IPV4 ? "198.51.100.7" : "2001:db8:1::7");
    }

    Ip own() {
        return Ip.parse(family == IpFamily.IPV4 ? "192.0.2.10" : "2001:db8::10");
    }

    /** Begins connections, each with a packet of its own; nothing listens, so that each is over at once. */
    void connect(Ip to, int port, int times) throws Exception {
        ns.call(() -> {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(to.toBytes()), port);
            for (int i = 0; i < times; i++) {
                try (SocketChannel channel = SocketChannel.open()) {
                    channel.configureBlocking(false);
                    boolean ignored = channel.connect(address);
                } catch (IOException e) {
                    // Refused: counted all the same.
                }
            }
            return null;
        });
    }
}
