package io.dualstackd.netlink.ipvs;

/**
 * How long connections without packets are kept, in seconds, for all virtual servers of a namespace. Zero, when written, changes nothing.
 *
 * @param tcp of established connections
 * @param tcpFin of connections after a FIN
 */
public record IpvsTimeouts(int tcp, int tcpFin, int udp) {
    public IpvsTimeouts {
        if (tcp < 0 || tcpFin < 0 || udp < 0) {
            throw new IllegalArgumentException("negative timeout: " + tcp + " " + tcpFin + " " + udp);
        }
    }
}
