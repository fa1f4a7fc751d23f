package io.dualstackd.netlink.ipvs;

/**
 * How long connections without packets are remembered, in seconds, for all virtual servers of a namespace. Zero, when written, changes
 * nothing.
 *
 * @param tcp of established ones
 * @param tcpFin of those whose one end said goodbye
 */
public record IpvsTimeouts(int tcp, int tcpFin, int udp) {
    public IpvsTimeouts {
        if (tcp < 0 || tcpFin < 0 || udp < 0) {
            throw new IllegalArgumentException("negative timeout: " + tcp + " " + tcpFin + " " + udp);
        }
    }
}
