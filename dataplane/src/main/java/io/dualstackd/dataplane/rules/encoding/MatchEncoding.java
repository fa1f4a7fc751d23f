package io.dualstackd.dataplane.rules.encoding;

import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Match.CtState.State;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.data.PayloadBase;
import io.dualstackd.netlink.nft.expr.Bitwise;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Payload;
import io.dualstackd.netlink.nft.expr.XtMatchExpr;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.netlink.xt.XtAddrType;
import io.dualstackd.netlink.xt.XtComment;
import io.dualstackd.netlink.xt.XtConntrack;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtNfacct;
import io.dualstackd.netlink.xt.XtRandom;
import io.dualstackd.netlink.xt.XtRecent;
import io.dualstackd.netlink.xt.XtSctp;
import io.dualstackd.netlink.xt.XtTcp;
import io.dualstackd.netlink.xt.XtUdp;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Encodes matches as expressions. */
final class MatchEncoding {
    /** {@code NFT_REG_1}, the register iptables-nft uses for everything. */
    private static final int REGISTER = 1;

    /** The offset of the destination port in the headers of TCP and UDP. */
    private static final int DESTINATION_PORT = 2;

    /** The rank of everything that is written in the order of the rule. */
    static final int EXTENSION = 4;

    private final IpFamily family;

    MatchEncoding(IpFamily family) {
        this.family = family;
    }

    /** The position at which iptables-nft writes the match: lower ranks first, whatever the order in the rule. */
    static int rank(Match match) {
        return switch (match) {
            case Match.InInterface ignored -> 0;
            case Match.Protocol ignored -> 1;
            case Match.Source ignored -> 2;
            case Match.Destination ignored -> 3;
            case Match.DestinationPort _,
                    Match.AnyPort _,
                    Match.Mark _,
                    Match.Comment _,
                    Match.SourceIsLocal _,
                    Match.DestinationIsLocal _,
                    Match.CtState _,
                    Match.Random _,
                    Match.SeenWithin _,
                    Match.CountAt _,
                    Match.Remember _ -> EXTENSION;
        };
    }

    void encode(Match match, List<NftExpr> into) {
        switch (match) {
            case Match.Source(IpPrefix prefix, boolean negated) ->
                address(family == IpFamily.IPV4 ? 12 : 8, prefix, negated, into);
            case Match.Destination(IpPrefix prefix, boolean negated) ->
                address(family == IpFamily.IPV4 ? 16 : 24, prefix, negated, into);
            case Match.Protocol(Proto proto) -> {
                into.add(new Meta(MetaKey.L4PROTO, REGISTER));
                into.add(new Cmp(CmpOp.EQ, REGISTER, Bytes.of(new byte[] {(byte) proto.number()})));
            }
            case Match.InInterface(String name, boolean prefix, boolean negated) -> {
                into.add(new Meta(MetaKey.IIFNAME, REGISTER));
                into.add(new Cmp(op(negated), REGISTER, interfaceName(name, prefix)));
            }
            case Match.DestinationPort(Proto proto, int port) -> destinationPort(proto, port, into);
            case Match.AnyPort(Proto proto) -> into.add(extension(anyPort(proto)));
            case Match.Mark(int value, int mask, boolean negated) -> mark(value, mask, negated, into);
            case Match.Comment(String text) -> into.add(extension(new XtComment(text)));
            case Match.SourceIsLocal(boolean negated) -> into.add(extension(XtAddrType.localSource(negated)));
            case Match.DestinationIsLocal(boolean negated) -> into.add(extension(XtAddrType.localDestination(negated)));
            case Match.CtState(Set<State> states, boolean negated) ->
                into.add(extension(new XtConntrack(states(states), negated)));
            case Match.Random(int threshold) -> into.add(extension(new XtRandom(threshold, false)));
            case Match.SeenWithin(String list, int seconds) -> into.add(extension(XtRecent.seenWithin(list, seconds)));
            case Match.CountAt(String object) -> into.add(extension(new XtNfacct(object)));
            case Match.Remember(String list) -> into.add(extension(XtRecent.set(list)));
        }
    }

    /** Whole bytes are compared without a mask; a prefix that ends inside a byte needs one. A prefix of length 0 is no condition. */
    private static void address(int offset, IpPrefix prefix, boolean negated, List<NftExpr> into) {
        if (prefix.length() == 0 && !negated) {
            return;
        }
        byte[] address = prefix.address().toBytes();
        if (prefix.length() > 0 && prefix.length() % 8 == 0) {
            int bytes = prefix.length() / 8;
            into.add(new Payload(PayloadBase.NETWORK, offset, bytes, REGISTER));
            into.add(new Cmp(op(negated), REGISTER, Bytes.of(address, 0, bytes)));
            return;
        }
        into.add(new Payload(PayloadBase.NETWORK, offset, address.length, REGISTER));
        into.add(new Bitwise(
                REGISTER, REGISTER, Bytes.of(prefix.netmask().toBytes()), Bytes.of(new byte[address.length])));
        into.add(new Cmp(op(negated), REGISTER, Bytes.of(address)));
    }

    private static void destinationPort(Proto proto, int port, List<NftExpr> into) {
        if (proto.equals(Proto.SCTP)) {
            into.add(extension(XtSctp.toPort(port)));
            return;
        }
        into.add(new Payload(PayloadBase.TRANSPORT, DESTINATION_PORT, 2, REGISTER));
        into.add(new Cmp(CmpOp.EQ, REGISTER, Bytes.of(new byte[] {(byte) (port >> 8), (byte) port})));
    }

    static XtMatch anyPort(Proto proto) {
        if (proto.equals(Proto.TCP)) {
            return XtTcp.ANY;
        }
        if (proto.equals(Proto.UDP)) {
            return XtUdp.ANY;
        }
        if (proto.equals(Proto.SCTP)) {
            return XtSctp.ANY;
        }
        throw new IllegalArgumentException("no port match for protocol " + proto);
    }

    private static void mark(int value, int mask, boolean negated, List<NftExpr> into) {
        into.add(new Meta(MetaKey.MARK, REGISTER));
        if (mask != -1) {
            into.add(new Bitwise(REGISTER, REGISTER, hostOrder(mask), Bytes.of(new byte[4])));
        }
        into.add(new Cmp(op(negated), REGISTER, hostOrder(value)));
    }

    /** With its NUL the whole name is compared, without it only its beginning. */
    private static Bytes interfaceName(String name, boolean prefix) {
        byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
        return Bytes.of(prefix ? ascii : Arrays.copyOf(ascii, ascii.length + 1));
    }

    static int states(Set<State> states) {
        int bits = 0;
        for (State state : states) {
            bits |= switch (state) {
                case INVALID -> XtConntrack.INVALID;
                case NEW -> XtConntrack.NEW;
                case RELATED -> XtConntrack.RELATED;
                case ESTABLISHED -> XtConntrack.ESTABLISHED;
                case DNAT -> XtConntrack.DNAT;
            };
        }
        return bits;
    }

    private static CmpOp op(boolean negated) {
        return negated ? CmpOp.NEQ : CmpOp.EQ;
    }

    private static Bytes hostOrder(int value) {
        NlWriter writer = new NlWriter(4);
        writer.u32(value);
        return writer.toBytes();
    }

    private static XtMatchExpr extension(XtMatch match) {
        return new XtMatchExpr(match.struct().name(), match.struct().revision(), match.info());
    }
}
