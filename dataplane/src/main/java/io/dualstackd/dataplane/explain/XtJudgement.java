package io.dualstackd.dataplane.explain;

import io.dualstackd.dataplane.explain.Registers.Known;
import io.dualstackd.netlink.nft.expr.XtMatchExpr;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtConntrack;
import io.dualstackd.netlink.xt.XtMark;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtTcp;
import io.dualstackd.netlink.xt.XtUdp;

/** Evaluates matches of xtables for a packet: the few that can be evaluated outside the kernel. */
final class XtJudgement {
    private XtJudgement() {}

    static Known of(XtMatchExpr match, PassingPacket packet) {
        return of(XtMatch.read(match.extension(), match.revision(), match.info()), packet);
    }

    static Known of(XtMatch match, PassingPacket packet) {
        return switch (match) {
            case XtComment ignored -> Known.YES;
            case XtConntrack(int states, boolean inverted) -> {
                int has = XtConntrack.NEW | (packet.translated() ? XtConntrack.DNAT : 0);
                Known holds = (states & has) != 0
                        ? Known.YES
                        // Not known before the source is translated.
                        : (states & XtConntrack.SNAT) != 0 ? Known.MAYBE : Known.NO;
                yield inverted ? holds.not() : holds;
            }
            case XtMark(int value, int mask, boolean inverted) -> {
                int bits = mask & packet.knownMark();
                Known holds = ((packet.mark() ^ value) & bits) != 0 ? Known.NO : bits == mask ? Known.YES : Known.MAYBE;
                yield inverted ? holds.not() : holds;
            }
            case XtTcp tcp ->
                tcp.equals(XtTcp.toPort(packet.port())) || tcp.equals(XtTcp.ANY)
                        ? Known.YES
                        : onlyTo(tcp) ? Known.NO : Known.MAYBE;
            case XtUdp udp ->
                udp.equals(XtUdp.toPort(packet.port())) || udp.equals(XtUdp.ANY)
                        ? Known.YES
                        : onlyTo(udp) ? Known.NO : Known.MAYBE;
            default -> Known.MAYBE;
        };
    }

    /** Whether it matches one destination port, and nothing else. */
    private static boolean onlyTo(XtTcp tcp) {
        return tcp.destinationMin() == tcp.destinationMax() && tcp.equals(XtTcp.toPort(tcp.destinationMin()));
    }

    private static boolean onlyTo(XtUdp udp) {
        return udp.destinationMin() == udp.destinationMax() && udp.equals(XtUdp.toPort(udp.destinationMin()));
    }
}
