package io.dualstackd.bench.latency;

import io.dualstackd.bench.measure.Nodes;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.Syncer;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Measures one rule set. */
final class LatencyRun {
    private static final String FORMAT = "%-28s  %-6s %9s %9s %9s %9s%n";
    /** A packet that is lost ends the measurement. */
    private static final int UDP_TIMEOUT_MILLIS = 2_000;

    private final LatencyBench.Setting setting;
    private final int connections;

    LatencyRun(LatencyBench.Setting setting, int connections) {
        this.setting = setting;
        this.connections = connections;
    }

    static String head() {
        return String.format(
                FORMAT,
                String.format("%-10s %9s %7s", "", "services", "counts"),
                "family",
                "TCP p50",
                "TCP p99",
                "UDP p50",
                "UDP p99");
    }

    void run() throws Exception {
        try (Path path = new Path()) {
            BenchPods.start(path.pods());
            for (IpFamily family : IpFamily.values()) {
                load(family, path.node());
            }
            for (IpFamily family : IpFamily.values()) {
                List<Long> tcp = measure(path, family, Proto.TCP);
                List<Long> udp = measure(path, family, Proto.UDP);
                System.out.printf(
                        FORMAT, setting, family, micros(tcp, 50), micros(tcp, 99), micros(udp, 50), micros(udp, 99));
            }
        }
    }

    private void load(IpFamily family, NetNs node) {
        if (setting.services() == 0) {
            return;
        }
        try (Syncer syncer = setting.mode().pass(family, () -> NlSocket.open(NlProtocol.NETFILTER, node))) {
            Planner planner = Planner.of(Nodes.view(family));
            SyncResult report =
                    syncer.run(planner, Set.of(), new BenchServices(planner, setting.services(), setting.counts()));
            if (report.needsRetry()) {
                throw new IllegalStateException("not in force: " + report);
            }
        }
    }

    private List<Long> measure(Path path, IpFamily family, Proto protocol) throws Exception {
        Client client = new Client(path.client(), protocol);
        SplittableRandom random = new SplittableRandom(1);
        IntFunction<IpPort> targets = n -> setting.services() == 0
                ? new IpPort(Nodes.podIp(family, random.nextInt(Path.PODS)), BenchServices.TARGET_PORT)
                : new IpPort(Nodes.serviceIp(family, random.nextInt(setting.services())), BenchServices.PORT);
        List<Long> warmUp = client.connections(connections / 5, targets);
        return warmUp.isEmpty() ? warmUp : client.connections(connections, targets);
    }

    private static String micros(List<Long> nanos, int percent) {
        return String.format("%.1f", Percentiles.percentile(nanos, n -> n, percent) / 1e3);
    }

    /** A client that opens one connection after the other. */
    private static final class Client {
        private final NetNs ns;
        private final Proto protocol;

        Client(NetNs ns, Proto protocol) {
            this.ns = ns;
            this.protocol = protocol;
        }

        /**
         * Returns the nanoseconds from the first packet to its answer, of each connection.
         *
         * @param to the destination of connection {@code n}
         */
        List<Long> connections(int count, IntFunction<IpPort> to) throws Exception {
            return ns.call(() -> {
                List<Long> nanos = new ArrayList<>(count);
                for (int n = 0; n < count; n++) {
                    IpPort target = to.apply(n);
                    InetSocketAddress address = BenchPods.socketAddress(target.ip(), target.port());
                    nanos.add(protocol.equals(Proto.TCP) ? overTcp(address) : overUdp(address));
                }
                return nanos;
            });
        }

        private static ProtocolFamily family(InetSocketAddress address) {
            return address.getAddress() instanceof Inet4Address
                    ? StandardProtocolFamily.INET
                    : StandardProtocolFamily.INET6;
        }

        /** The kernel answers the first packet, so no thread has to wake up for it. */
        private static long overTcp(InetSocketAddress address) throws IOException {
            try (SocketChannel channel = SocketChannel.open(family(address))) {
                // Closes with a reset, so that ports do not run out.
                channel.socket().setSoLinger(true, 0);
                long start = System.nanoTime();
                boolean ignored = channel.connect(address);
                return System.nanoTime() - start;
            }
        }

        private static long overUdp(InetSocketAddress address) throws IOException {
            DatagramPacket packet = new DatagramPacket(new byte[16], 16);
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.setSoTimeout(UDP_TIMEOUT_MILLIS);
                socket.connect(address);
                long start = System.nanoTime();
                socket.send(packet);
                socket.receive(packet);
                return System.nanoTime() - start;
            }
        }
    }
}
