package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against the running kernel, in a namespace of its own. */
@Tag("kernel")
class NlSocketTest {
    private static final int RTM_NEWLINK = 16;
    private static final int RTM_GETLINK = 18;
    private static final int RTM_NEWROUTE = 24;
    private static final int RTM_DELROUTE = 25;
    private static final int RTM_DELADDR = 21;
    private static final int RTNLGRP_IPV4_IFADDR = 5;
    private static final int RTNLGRP_IPV4_ROUTE = 7;
    private static final int SMALL_BUFFER = 4 << 10;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Request LIST_LINKS = new Request("list links", RTM_GETLINK, 0, w -> w.zeros(16));

    private NetNs ns;

    @BeforeEach
    void newNamespace() throws Exception {
        ns = FreshNetNs.create();
    }

    @AfterEach
    void dropNamespace() {
        ns.close();
    }

    @Test
    void belongsToTheNamespaceItWasOpenedIn() throws Exception {
        try (NetlinkConnection kernel = new NetlinkConnection(NlSocket.open(NlProtocol.ROUTE, ns))) {
            assertThat(kernel.dump(LIST_LINKS, message -> message))
                    .singleElement()
                    .satisfies(link -> {
                        assertThat(link.type()).isEqualTo(RTM_NEWLINK);
                        assertThat(link.portId()).isEqualTo(kernel.portId());
                    });
        }
    }

    @Test
    void refusalCarriesTheKernelsWords() throws Exception {
        try (NetlinkConnection kernel = new NetlinkConnection(NlSocket.open(NlProtocol.ROUTE, ns))) {
            Request nonsense = new Request("add nonsense", RTM_NEWLINK, NlFlags.CREATE, w -> {
                w.zeros(16);
                // IFLA_IFNAME longer than the kernel takes.
                w.u16(4 + 20);
                w.u16(3);
                w.zeros(0);
                for (int i = 0; i < 20; i++) {
                    w.u8('x');
                }
            });
            assertThatExceptionOfType(NetlinkException.Refused.class)
                    .isThrownBy(() -> kernel.request(nonsense))
                    .withMessageStartingWith("add nonsense: ")
                    .satisfies(e -> {
                        assertThat(e.errno()).isIn(Errno.ERANGE, Errno.EINVAL);
                        assertThat(e.refusal().kernelSays()).isNotEmpty();
                        assertThat(e.refusal().offset()).hasValue(32);
                    });
            // The conversation goes on.
            assertThat(kernel.dump(LIST_LINKS, message -> message)).hasSize(1);
        }
    }

    /** A route of 5,000 next hops is one datagram of more than 40,000 bytes. */
    @Test
    void truncatedDatagramIsReportedAndNextOneFits() throws Exception {
        IpTool.run(ns, List.of("ip", "link", "set", "lo", "up"));
        try (NlSocket listener = NlSocket.open(NlProtocol.ROUTE, ns);
                NetlinkConnection kernel = new NetlinkConnection(NlSocket.open(NlProtocol.ROUTE, ns))) {
            listener.join(RTNLGRP_IPV4_ROUTE);
            kernel.request(new Request("add route", RTM_NEWROUTE, NlFlags.CREATE, NlSocketTest::wideRoute));
            assertThat(listener.receive(TIMEOUT)).isEqualTo(new Arrival.Overrun());
            kernel.request(new Request("delete route", RTM_DELROUTE, 0, NlSocketTest::wideRoute));
            assertThat(listener.receive(TIMEOUT))
                    .isInstanceOfSatisfying(
                            Arrival.Messages.class,
                            arrived -> assertThat(arrived.messages())
                                    .singleElement()
                                    .satisfies(message -> {
                                        assertThat(message.type()).isEqualTo(RTM_DELROUTE);
                                        assertThat(message.length()).isGreaterThan(40_000);
                                    }));
        }
    }

    /** 192.0.2.0/24, on the loopback interface 5,000 times. */
    private static void wideRoute(NlWriter writer) {
        // struct rtmsg: AF_INET, /24, table main, protocol static, scope link, unicast
        for (int value : new int[] {2, 24, 0, 0, 254, 4, 253, 1}) {
            writer.u8(value);
        }
        writer.u32(0);
        // RTA_DST
        writer.u16(8);
        writer.u16(1);
        writer.u32be(0xc0000200);
        // RTA_MULTIPATH of struct rtnexthop
        int hops = 5_000;
        writer.u16(4 + 8 * hops);
        writer.u16(9);
        for (int hop = 0; hop < hops; hop++) {
            writer.u16(8);
            writer.u16(0);
            writer.u32(1);
        }
    }

    @Test
    void closeFromAnotherThreadEndsAWait() throws Exception {
        NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns);
        AtomicReference<Thread> listening = new AtomicReference<>();
        CompletableFuture<Arrival> arrival = new CompletableFuture<>();
        Thread listener = Thread.ofPlatform().name("listener").start(() -> {
            listening.set(Thread.currentThread());
            try {
                arrival.complete(socket.receive(NlTransport.FOREVER));
            } catch (NetlinkException e) {
                arrival.completeExceptionally(e);
            }
        });
        while (listening.get() == null) {
            Thread.onSpinWait();
        }
        socket.close();
        socket.close();
        listener.join();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(arrival::get)
                .withCauseInstanceOf(NetlinkException.Closed.class);
        assertThatExceptionOfType(NetlinkException.Closed.class).isThrownBy(() -> socket.receive(Duration.ZERO));
        assertThatExceptionOfType(NetlinkException.Closed.class).isThrownBy(() -> socket.send(new NlWriter()));
    }

    @Test
    void closingDuringTheWaitAlwaysEndsItAndLeaksNothing() throws Exception {
        NlSocket.open(NlProtocol.ROUTE, ns).close();
        long before = openFiles();
        for (int i = 0; i < 200; i++) {
            NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns);
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            CountDownLatch started = new CountDownLatch(1);
            Thread listener = Thread.ofPlatform().name("listener").start(() -> {
                started.countDown();
                try {
                    end.completeExceptionally(new AssertionError(socket.receive(NlTransport.FOREVER)));
                } catch (NetlinkException e) {
                    end.complete(e);
                }
            });
            started.await();
            socket.close();
            assertThat(end.get()).isInstanceOf(NetlinkException.Closed.class);
            listener.join();
        }
        assertThat(openFiles()).isEqualTo(before);
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.map(NlSocketTest::target)
                    .filter(target -> target.contains("socket:") || target.contains("eventfd"))
                    .count();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "";
        }
    }

    @Test
    void silenceIsAnAnswer() throws Exception {
        try (NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns)) {
            assertThat(socket.receive(Duration.ZERO)).isEqualTo(new Arrival.Silence());
            assertThat(socket.receive(Duration.ofMillis(5))).isEqualTo(new Arrival.Silence());
        }
    }

    /** Each message that is left out causes the next one, so that there is always one and never more than the buffer holds. */
    @Test
    void messagesThatAreLeftOutDoNotProlongAWait() throws Exception {
        try (RouteClient other = RouteClient.open(ns);
                NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns, SMALL_BUFFER)) {
            Address address = Address.of(other.indexOf("lo"), Ip.parse("192.0.2.1"), 32);
            AtomicInteger left = new AtomicInteger(20_000);
            socket.receiveOnly((bytes, offset, length) -> {
                if (left.getAndDecrement() > 0) {
                    change(other, address, left.get() % 2 == 0);
                }
                return false;
            });
            socket.join(RTNLGRP_IPV4_IFADDR);
            change(other, address, true);
            assertThat(socket.receive(Duration.ofMillis(10))).isEqualTo(new Arrival.Silence());
            assertThat(left.get()).as("messages that did not come").isPositive();
        }
    }

    @Test
    void whatIsQueuedBehindMessagesThatAreLeftOutIsReceivedAtOnce() throws Exception {
        try (RouteClient other = RouteClient.open(ns);
                NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns, SMALL_BUFFER)) {
            socket.receiveOnly((bytes, offset, length) -> bytes.getShort(offset + 4) == RTM_DELADDR);
            socket.join(RTNLGRP_IPV4_IFADDR);
            int lo = other.indexOf("lo");
            for (int i = 1; i <= 4; i++) {
                change(other, Address.of(lo, Ip.parse("192.0.2." + i), 32), true);
            }
            change(other, Address.of(lo, Ip.parse("192.0.2.4"), 32), false);
            assertThat(socket.receive(Duration.ZERO))
                    .isInstanceOfSatisfying(
                            Arrival.Messages.class,
                            arrived -> assertThat(arrived.messages())
                                    .singleElement()
                                    .extracting(NlMessage::type)
                                    .isEqualTo(RTM_DELADDR));
        }
    }

    private static void change(RouteClient kernel, Address address, boolean add) {
        try {
            if (add) {
                kernel.add(address);
            } else {
                kernel.delete(address);
            }
        } catch (NetlinkException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void sendsTensOfMegabytesAtOnce() throws Exception {
        try (NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns)) {
            NlWriter writer = new NlWriter(40 << 20);
            int count = 0;
            for (; writer.length() < 32 << 20; count++) {
                // NLMSG_NOOP: the kernel looks at the header and takes the next one.
                int mark = writer.startMessage(NlMessage.NOOP, NlFlags.REQUEST, count);
                writer.zeros(4096);
                writer.endMessage(mark);
            }
            int mark = writer.startMessage(NlMessage.NOOP, NlFlags.REQUEST | NlFlags.ACK, count);
            writer.endMessage(mark);
            if (!inInitialUserNamespace()) {
                // Only there may a buffer grow beyond net.core.wmem_max; elsewhere the kernel refuses before it looks.
                assertThatExceptionOfType(NetlinkException.Failed.class)
                        .isThrownBy(() -> socket.send(writer))
                        .withMessageContaining("EMSGSIZE");
                return;
            }
            socket.send(writer);
            assertThat(socket.receive(Duration.ofSeconds(10)))
                    .isInstanceOfSatisfying(Arrival.Messages.class, arrived -> {
                        List<NlMessage> messages = arrived.messages();
                        assertThat(messages.getFirst().type()).isEqualTo(NlMessage.ERROR);
                        assertThat(messages.getFirst().sequence()).isEqualTo(writer.length() / 4112);
                    });
        }
    }

    private static boolean inInitialUserNamespace() throws IOException {
        return Files.readString(Path.of("/proc/self/uid_map")).strip().matches("0 +0 +4294967295");
    }
}
