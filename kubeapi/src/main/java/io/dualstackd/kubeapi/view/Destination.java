package io.dualstackd.kubeapi.view;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;

/** A destination of packets that only one Service can serve. */
public sealed interface Destination {
    /** A cluster IP, external IP or load-balancer IP with a port. */
    record Address(Ip ip, int port, Proto protocol) implements Destination {
        @Override
        public long mixed() {
            long bits = switch (ip) {
                case Ip.V4(int v4) -> v4 & 0xffff_ffffL;
                case Ip.V6(long high, long low) -> mix(high) + low;
            };
            return mix(mix(bits) + ((long) port << 16 | protocol.number()));
        }

        @Override
        public int hashCode() {
            return Long.hashCode(mixed());
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
        public long mixed() {
            long bits = switch (family) {
                case IPV4 -> 4L;
                case IPV6 -> 6L;
            };
            return mix(bits << 32 | (long) port << 16 | protocol.number());
        }

        @Override
        public int hashCode() {
            return Long.hashCode(mixed());
        }

        /** {@code node port 30080/tcp (IPv4)}. */
        @Override
        public String toString() {
            return "node port " + port + "/" + protocol + " (" + family + ")";
        }
    }

    /** A 64-bit hash, different for any two destinations in practice; never 0. */
    long mixed();

    private static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 32)) * 0x9e37_79b9_7f4a_7c15L;
        mixed = (mixed ^ (mixed >>> 29)) * 0xbf58_476d_1ce4_e5b9L;
        mixed ^= mixed >>> 32;
        return mixed == 0 ? 1 : mixed;
    }
}
