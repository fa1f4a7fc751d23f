package io.dualstackd.explain.trace;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.data.PayloadBase;
import io.dualstackd.netlink.nft.expr.Bitwise;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Immediate;
import io.dualstackd.netlink.nft.expr.Limit;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.MetaSet;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Payload;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * The table that switches tracing on for packets that match, before any other chain sees them, and two empty chains behind all others, which
 * show that a packet got that far, and with which addresses. Its owner is a socket, with which it goes.
 */
public final class TraceTable {
    /** The name of the table, in both families. */
    public static final String NAME = "dualstackd-trace";

    /** The most packets a second that are traced: each causes some dozens of messages. */
    public static final int RATE = 10;

    private static final String FROM_OUTSIDE = "from-outside";
    private static final String FROM_HERE = "from-here";
    private static final String TO_HERE = "to-here";
    private static final String TO_OUTSIDE = "to-outside";

    /** Before {@code NF_IP_PRI_RAW}. */
    private static final int FIRST = -301;
    /** After every other chain; what follows is only that conntrack confirms the connection. */
    private static final int LAST = Integer.MAX_VALUE - 1;

    private static final int REGISTER = 1;
    private static final int SECOND = 1;

    private static final int TCP_FLAGS_AT = 13;
    private static final int FIN_SYN_RST_ACK = 0x17;
    private static final int SYN = 0x02;
    private static final int SCTP_CHUNK_AT = 12;
    private static final int INIT = 1;
    private static final int DESTINATION_PORT_AT = 2;
    private static final int INTERFACE_NAME = 16;

    private TraceTable() {}

    public static TableName name(IpFamily family) {
        return new TableName(NftFamily.of(family), NAME);
    }

    /** Whether tracing of a packet begins in this chain. */
    public static boolean begins(ChainName chain) {
        return isOurs(chain)
                && (chain.name().equals(FROM_OUTSIDE) || chain.name().equals(FROM_HERE));
    }

    /** Whether a packet in this chain is about to be given to a process of this node. */
    public static boolean endsHere(ChainName chain) {
        return isOurs(chain) && chain.name().equals(TO_HERE);
    }

    /** Whether a packet in this chain is about to be sent. */
    public static boolean endsOutside(ChainName chain) {
        return isOurs(chain) && chain.name().equals(TO_OUTSIDE);
    }

    /** Whether the chain is one of this table. */
    public static boolean isOurs(ChainName chain) {
        return chain.table().name().equals(NAME);
    }

    /**
     * Creates the table.
     *
     * @param flags of the table: {@link NftTable#OWNER}
     */
    public static NftBatch create(TraceFilter filter, int flags) {
        IpFamily family = filter.destination().family();
        TableName table = name(family);
        NftBatch batch = NftBatch.begin()
                .add(new NftTable(
                        table, flags, 0, 0, UserData.comment("dualstackd trace: goes when the command ends")));
        // Those at the ends first: no packet is traced before they are there.
        batch.add(base(table, TO_HERE, NftHook.INPUT, LAST));
        batch.add(base(table, TO_OUTSIDE, NftHook.POSTROUTING, LAST));
        List<NftExpr> rule = rule(filter);
        batch.add(base(table, FROM_OUTSIDE, NftHook.PREROUTING, FIRST))
                .append(NftRule.of(table.chain(FROM_OUTSIDE), rule));
        if (filter.in().isEmpty()) {
            batch.add(base(table, FROM_HERE, NftHook.OUTPUT, FIRST)).append(NftRule.of(table.chain(FROM_HERE), rule));
        }
        return batch;
    }

    private static NftChain base(TableName table, String name, int hook, int priority) {
        return NftChain.of(table.chain(name), new NftHook("filter", hook, priority));
    }

    /**
     * At this place conntrack does not know the packet yet, so the first packet of a connection is recognised by its header. In UDP every
     * packet is taken.
     */
    private static List<NftExpr> rule(TraceFilter filter) {
        boolean four = filter.destination().family() == IpFamily.IPV4;
        int length = filter.destination().family().bytes();
        List<NftExpr> rule = new ArrayList<>();
        if (!filter.in().isEmpty()) {
            rule.add(new Meta(MetaKey.IIFNAME, REGISTER));
            rule.add(equal(Bytes.utf8(filter.in()).padTo(INTERFACE_NAME)));
        }
        rule.add(new Payload(PayloadBase.NETWORK, four ? 12 : 8, length, REGISTER));
        rule.add(equal(Bytes.of(filter.source())));
        rule.add(new Payload(PayloadBase.NETWORK, four ? 16 : 24, length, REGISTER));
        rule.add(equal(Bytes.of(filter.destination())));
        rule.add(new Meta(MetaKey.L4PROTO, REGISTER));
        rule.add(equal(Bytes.u8(filter.protocol().number())));
        rule.add(new Payload(PayloadBase.TRANSPORT, DESTINATION_PORT_AT, 2, REGISTER));
        rule.add(equal(Bytes.u16be(filter.port())));
        if (filter.protocol().equals(Proto.TCP)) {
            rule.add(new Payload(PayloadBase.TRANSPORT, TCP_FLAGS_AT, 1, REGISTER));
            rule.add(new Bitwise(REGISTER, REGISTER, Bytes.u8(FIN_SYN_RST_ACK), Bytes.u8(0)));
            rule.add(equal(Bytes.u8(SYN)));
        } else if (filter.protocol().equals(Proto.SCTP)) {
            rule.add(new Payload(PayloadBase.TRANSPORT, SCTP_CHUNK_AT, 1, REGISTER));
            rule.add(equal(Bytes.u8(INIT)));
        }
        rule.add(new Limit(RATE, SECOND, RATE, 0, 0));
        rule.add(new Immediate(REGISTER, Bytes.u8(1)));
        rule.add(new MetaSet(MetaKey.NFTRACE, REGISTER));
        return List.copyOf(rule);
    }

    private static Cmp equal(Bytes value) {
        return new Cmp(CmpOp.EQ, REGISTER, value);
    }
}
