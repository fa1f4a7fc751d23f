package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.netns.NetNsCommands;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each endpoint is as likely as any other: 100,000 connections per number of endpoints, each drawn for by the kernel, judged by
 * chi-square. A fair draw fails once in 1,000; so what fails is drawn again, and to fail twice takes a million.
 */
@Tag("kernel")
final class SpreadTest {
    private static final int CONNECTIONS = 100_000;

    /** Senders, each with a source port of its own; they start over when the kernel has forgotten their connections. */
    private static final int SENDERS = 5_000;

    /** What the endpoints' sockets surely have room for. */
    private static final int AT_ONCE = 100;

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** Number of endpoints, and what chi-square with one degree of freedom less stays below in 999 of 1,000 cases. */
    private static final Map<Integer, Double> LIMITS = Map.of(2, 10.828, 3, 13.816, 7, 22.458, 100, 148.230);

    static Stream<Arguments> nodes() {
        return Stream.of(ProxyMode.IPTABLES, ProxyMode.NFTABLES)
                .flatMap(mode -> Stream.of(LabMap.values()).map(map -> Arguments.of(mode, map)));
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void everyEndpointIsAsLikelyAsTheOthers(ProxyMode mode, LabMap map) throws Exception {
        int most = LIMITS.keySet().stream().mapToInt(n -> n).max().orElseThrow();
        try (LoneNode node = new LoneNode(map, most);
                DataplaneUnderTest dataplane = dataplane(mode, node);
                Crowd crowd = new Crowd(node, most)) {
            for (Map.Entry<Integer, Double> each : LIMITS.entrySet()) {
                int count = each.getKey();
                dataplane.program(
                        node.view(),
                        List.of(node.service(IntStream.range(0, count).boxed().toList())
                                .view()));
                int[] served = crowd.connect();
                if (chiSquare(served, count) > each.getValue()) {
                    served = crowd.connect();
                }
                assertThat(chiSquare(served, count))
                        .as("%d endpoints %s", count, Arrays.toString(served))
                        .isLessThan(each.getValue());
            }
        }
    }

    private static DataplaneUnderTest dataplane(ProxyMode mode, LoneNode node) {
        return switch (mode) {
            case IPTABLES -> new NativeIptables(node.ns());
            case NFTABLES -> new NativeNftables(node.ns());
            case IPVS -> new NativeIpvs(node.ns());
        };
    }

    private static double chiSquare(int[] served, int endpoints) {
        double expected = (double) CONNECTIONS / endpoints;
        double sum = 0;
        for (int n = 0; n < endpoints; n++) {
            sum += (served[n] - expected) * (served[n] - expected) / expected;
        }
        return sum;
    }

    /** Clients and endpoints. */
    private static final class Crowd implements AutoCloseable {
        private final LoneNode node;
        private final InetSocketAddress service;
        private final List<DatagramChannel> senders = new ArrayList<>();
        private final List<DatagramChannel> endpoints = new ArrayList<>();
        private final ByteBuffer something = ByteBuffer.allocateDirect(1);

        Crowd(LoneNode node, int most) throws Exception {
            this.node = node;
            this.service =
                    Server.socketAddress(node.service().ip(), node.service().port());
            node.ns().call(() -> {
                for (int n = 0; n < most; n++) {
                    endpoints.add(bound(Server.socketAddress(
                            node.endpoint(n).ip(), node.endpoint(n).port())));
                }
                for (int n = 0; n < SENDERS; n++) {
                    senders.add(bound(Server.socketAddress(node.address(), 10_000 + n)));
                }
                return senders;
            });
        }

        private DatagramChannel bound(InetSocketAddress to) throws IOException {
            DatagramChannel channel =
                    DatagramChannel.open(Server.family(node.address())).bind(to);
            channel.configureBlocking(false);
            return channel;
        }

        /** The connections each endpoint got. */
        int[] connect() throws Exception {
            int[] served = new int[endpoints.size()];
            for (int sent = 0; sent < CONNECTIONS; sent += AT_ONCE) {
                if (sent % SENDERS == 0) {
                    // A sender that the kernel still knows would go where it went before.
                    new NetNsCommands(node.ns()).run("conntrack", "-F");
                }
                for (int n = 0; n < AT_ONCE; n++) {
                    senders.get((sent + n) % SENDERS).send(something.clear(), service);
                }
                receive(served, AT_ONCE);
            }
            return served;
        }

        private void receive(int[] served, int expected) throws IOException {
            int missing = expected;
            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (missing > 0) {
                for (int n = 0; n < served.length; n++) {
                    while (endpoints.get(n).receive(something.clear()) != null) {
                        served[n]++;
                        missing--;
                    }
                }
                if (System.nanoTime() - end > 0) {
                    throw new IOException(missing + " of " + expected + " connections were served by nobody");
                }
            }
        }

        @Override
        public void close() throws IOException {
            for (DatagramChannel channel : senders) {
                channel.close();
            }
            for (DatagramChannel channel : endpoints) {
                channel.close();
            }
        }
    }
}
