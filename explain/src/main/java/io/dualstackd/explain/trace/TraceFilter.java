package io.dualstackd.explain.trace;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.Locale;

/**
 * Which packets to trace.
 *
 * @param port destination port, 1 to 65535
 * @param in name of the interface they come in through; empty for any, and for packets of this node
 */
public record TraceFilter(Ip source, Ip destination, int port, Proto protocol, String in) {
    /** {@code tcp 10.244.0.7 -> 10.96.0.10:80}. */
    @Override
    public String toString() {
        return protocol.toString().toLowerCase(Locale.ROOT) + " " + source + " -> " + new IpPort(destination, port)
                + (in.isEmpty() ? "" : " through " + in);
    }
}
