package io.dualstackd.bench.latency;

import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A client that opens one connection after the other. */
final class Client {
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
        ByteBuffer buffer = ByteBuffer.allocate(16);
        try (DatagramChannel channel = DatagramChannel.open(family(address)).connect(address)) {
            long start = System.nanoTime();
            int ignored = channel.write(buffer) + channel.read(buffer.clear());
            return System.nanoTime() - start;
        }
    }
}
