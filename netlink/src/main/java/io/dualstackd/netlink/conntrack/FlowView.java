package io.dualstackd.netlink.conntrack;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrCursor;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;

/**
 * A connection in a message of a list, decoded on demand: for callers that look for a few among a million. Those they need they read in
 * full with {@link #entry}.
 */
public final class FlowView {
    private final NlMessage message;
    private final IpFamily family;
    private int proto = -1;
    private int zone;
    private long destinationHigh;
    private long destinationLow;
    private long replySourceHigh;
    private long replySourceLow;
    private int destinationPort;
    private int replySourcePort;

    private FlowView(NlMessage message, IpFamily family) {
        this.message = message;
        this.family = family;
    }

    public static FlowView read(NlMessage message) throws DecodeException {
        NlReader body = message.body("IPCTNL_MSG_CT_NEW");
        FlowView flow = new FlowView(message, ConntrackEntry.family(body));
        AttrCursor attrs = body.cursor();
        boolean reply = false;
        while (attrs.advance()) {
            int number = attrs.number();
            if (number == ConntrackAttrs.ORIGINAL.number()) {
                flow.tuple(attrs, true);
            } else if (number == ConntrackAttrs.REPLY.number()) {
                flow.tuple(attrs, false);
                reply = true;
            } else if (number == ConntrackAttrs.ZONE.number()) {
                flow.zone = u16be(attrs, ConntrackAttrs.ZONE);
            }
        }
        if (flow.proto < 0 || !reply) {
            throw new DecodeException("IPCTNL_MSG_CT_NEW: CTA_TUPLE_ORIG or CTA_TUPLE_REPLY is missing");
        }
        return flow;
    }

    private void tuple(AttrCursor attrs, boolean original) throws DecodeException {
        attrs.enter();
        while (attrs.advance()) {
            int number = attrs.number();
            if (number == ConntrackAttrs.IP.number()) {
                address(attrs, original);
            } else if (number == ConntrackAttrs.PROTO.number()) {
                proto(attrs, original);
            } else if (number == ConntrackAttrs.TUPLE_ZONE.number()) {
                zone = u16be(attrs, ConntrackAttrs.TUPLE_ZONE);
            }
        }
        attrs.leave();
    }

    private void address(AttrCursor attrs, boolean original) throws DecodeException {
        boolean v4 = family == IpFamily.IPV4;
        Attr wanted = original
                ? (v4 ? ConntrackAttrs.V4_DST : ConntrackAttrs.V6_DST)
                : (v4 ? ConntrackAttrs.V4_SRC : ConntrackAttrs.V6_SRC);
        attrs.enter();
        while (attrs.advance()) {
            if (attrs.number() != wanted.number()) {
                continue;
            }
            check(attrs, wanted, family.bytes());
            long high = v4 ? 0 : Long.reverseBytes(attrs.word(0));
            long low = v4 ? Integer.reverseBytes((int) attrs.word(0)) : Long.reverseBytes(attrs.word(8));
            if (original) {
                destinationHigh = high;
                destinationLow = low;
            } else {
                replySourceHigh = high;
                replySourceLow = low;
            }
        }
        attrs.leave();
    }

    private void proto(AttrCursor attrs, boolean original) throws DecodeException {
        attrs.enter();
        while (attrs.advance()) {
            int number = attrs.number();
            if (original && number == ConntrackAttrs.NUMBER.number()) {
                check(attrs, ConntrackAttrs.NUMBER, 1);
                proto = (int) attrs.word(0) & 0xff;
            } else if (original && number == ConntrackAttrs.DST_PORT.number()) {
                destinationPort = u16be(attrs, ConntrackAttrs.DST_PORT);
            } else if (!original && number == ConntrackAttrs.SRC_PORT.number()) {
                replySourcePort = u16be(attrs, ConntrackAttrs.SRC_PORT);
            }
        }
        attrs.leave();
    }

    private static int u16be(AttrCursor attrs, Attr attr) throws DecodeException {
        check(attrs, attr, 2);
        return Short.reverseBytes((short) attrs.word(0)) & 0xffff;
    }

    private static void check(AttrCursor attrs, Attr attr, int want) throws DecodeException {
        if (attrs.length() != want) {
            throw new DecodeException(
                    "IPCTNL_MSG_CT_NEW: " + attr.name() + ": want " + want + " bytes, got " + attrs.length());
        }
    }

    public boolean is(Proto wanted) {
        return proto == wanted.number();
    }

    public Proto protocol() {
        return new Proto(proto);
    }

    /** The zone of the connection or of one of its directions; 0 for none. */
    public int zone() {
        return zone;
    }

    /** The destination of its packets, before translation. */
    public IpPort destination() {
        return new IpPort(ip(destinationHigh, destinationLow), destinationPort);
    }

    /** The source of its replies: the destination of its packets after translation. */
    public IpPort replySource() {
        return new IpPort(ip(replySourceHigh, replySourceLow), replySourcePort);
    }

    private Ip ip(long high, long low) {
        return family == IpFamily.IPV4 ? new Ip.V4((int) low) : new Ip.V6(high, low);
    }

    /** Decodes the whole entry. */
    public ConntrackEntry entry() throws DecodeException {
        return ConntrackEntry.read(message);
    }
}
