package io.dualstackd.kubeapi.view;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.Comparator;

/** A destination of packets that only one Service can serve. */
public sealed interface Destination {
    /** A cluster IP, external IP or load-balancer IP with a port. */
    record Address(Ip ip, int port, Proto protocol) implements Destination, Comparable<Address> {
        private static final Comparator<Address> ORDER = Comparator.comparing(Address::ip)
                .thenComparingInt(Address::port)
                .thenComparingInt(address -> address.protocol.number());

        @Override
        public long mixed(KeyedHash hash) {
            long rest = (long) port << 16 | protocol.number();
            return switch (ip) {
                case Ip.V4(int v4) -> hash.of(4, v4, rest);
                case Ip.V6(long high, long low) -> hash.of(high, low, 6L << 32 | rest);
            };
        }

        /** With an order, a table of many that have the same {@link #hashCode} is still fast. */
        @Override
        public int compareTo(Address other) {
            return ORDER.compare(this, other);
        }

        /** {@code 10.96.0.1:80/tcp}, {@code [fd00::1]:80/tcp}. */
        @Override
        public String toString() {
            String host = ip.family() == IpFamily.IPV6 ? "[" + ip + "]" : ip.toString();
            return host + ":" + port + "/" + protocol;
        }
    }

    /** A node port of one family, for traffic or for health checks. */
    record NodePort(IpFamily family, int port, Proto protocol) implements Destination {
        @Override
        public long mixed(KeyedHash hash) {
            long bits = switch (family) {
                case IPV4 -> 4L;
                case IPV6 -> 6L;
            };
            return hash.of(bits, 0, 1L << 40 | (long) port << 16 | protocol.number());
        }

        /** {@code node port 30080/tcp (IPv4)}. */
        @Override
        public String toString() {
            return "node port " + port + "/" + protocol + " (" + family + ")";
        }
    }

    /** A 64-bit hash, different for any two destinations in practice; never 0. */
    long mixed(KeyedHash hash);
}
