package io.dualstackd.explain;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.Optional;

/**
 * The first packet of a connection as the rules of a base chain see it.
 *
 * @param source empty where it is not known, for instance behind a masquerade
 * @param in name of the interface it came in through; an empty text for none; empty when it is not known
 * @param out name of the interface it leaves through, likewise
 * @param translated whether its destination was translated
 * @param mark bits of its mark
 * @param knownMark which bits of the mark are known
 * @param tracking what connection tracking knows of it
 * @param toBeTracked whether connection tracking has not seen it yet, and a Service translates it behind that
 */
public record PassingPacket(
        Optional<Ip> source,
        Ip destination,
        Proto protocol,
        int port,
        Optional<String> in,
        Optional<String> out,
        boolean translated,
        int mark,
        int knownMark,
        Tracking tracking,
        boolean toBeTracked) {
    /** What connection tracking knows of a packet. */
    public enum Tracking {
        /** It has not seen it. */
        NOT_YET,
        /** It is the first one of a connection. */
        NEW,
        /** A rule has taken it out. */
        UNTRACKED,
        UNKNOWN
    }

    /** The packet after these bits of its mark may have been changed. */
    public PassingPacket withoutMark(int bits) {
        return withMark(mark & ~bits, knownMark & ~bits);
    }

    /**
     * The packet with another mark.
     *
     * @param its bits of it
     * @param known which bits are known
     */
    public PassingPacket withMark(int its, int known) {
        return new PassingPacket(
                source, destination, protocol, port, in, out, translated, its, known, tracking, toBeTracked);
    }

    /** The packet's family. */
    public IpFamily family() {
        return destination.family();
    }
}
