package io.dualstackd.netlink.nft.trace;

import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NfHeader;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import java.util.Optional;

/**
 * One step of a traced packet: a rule that applied to it, or the end of a chain ({@code NFT_MSG_TRACE}).
 *
 * @param rule handle of the rule; 0 for none
 * @param verdict of the rule; for {@link Type#POLICY} that of the chain
 * @param id tells packets apart; see the package
 * @param network the packet's network header; only in the first message of each base chain, otherwise empty
 * @param transport the first bytes of its transport header; as {@code network}
 * @param in index of the interface it came in through, 0 for none
 * @param out index of the interface it leaves through, 0 for none or not yet known
 * @param mark the packet mark after the rule
 */
public record TraceMessage(
        ChainName chain,
        Type type,
        long rule,
        Optional<Verdict> verdict,
        int id,
        Bytes network,
        Bytes transport,
        int in,
        int out,
        int mark) {
    /** {@code NFNLGRP_NFTRACE} of {@code linux/netfilter/nfnetlink.h}. */
    public static final int GROUP = 9;

    private static final Attr.Text TABLE_NAME = new Attr.Text(1, "NFTA_TRACE_TABLE");
    private static final Attr.Text CHAIN = new Attr.Text(2, "NFTA_TRACE_CHAIN");
    private static final Attr.U64be RULE_HANDLE = new Attr.U64be(3, "NFTA_TRACE_RULE_HANDLE");
    private static final Attr.U32be TYPE = new Attr.U32be(4, "NFTA_TRACE_TYPE");
    private static final Attr.Nest VERDICT = new Attr.Nest(5, "NFTA_TRACE_VERDICT", Verdict.TABLE);
    private static final Attr.U32be ID = new Attr.U32be(6, "NFTA_TRACE_ID");
    private static final Attr.Payload LL_HEADER = new Attr.Payload(7, "NFTA_TRACE_LL_HEADER");
    private static final Attr.Payload NETWORK_HEADER = new Attr.Payload(8, "NFTA_TRACE_NETWORK_HEADER");
    private static final Attr.Payload TRANSPORT_HEADER = new Attr.Payload(9, "NFTA_TRACE_TRANSPORT_HEADER");
    private static final Attr.U32be IIF = new Attr.U32be(10, "NFTA_TRACE_IIF");
    private static final Attr.U32be OIF = new Attr.U32be(12, "NFTA_TRACE_OIF");
    private static final Attr.U32be MARK = new Attr.U32be(14, "NFTA_TRACE_MARK");
    private static final Attr.U32be NFPROTO = new Attr.U32be(15, "NFTA_TRACE_NFPROTO");
    private static final Attr.U32be POLICY = new Attr.U32be(16, "NFTA_TRACE_POLICY");
    private static final AttrTable TABLE = AttrTable.of(
            "NFTA_TRACE",
            TABLE_NAME,
            CHAIN,
            RULE_HANDLE,
            TYPE,
            VERDICT,
            ID,
            LL_HEADER,
            NETWORK_HEADER,
            TRANSPORT_HEADER,
            IIF,
            OIF,
            MARK,
            NFPROTO,
            POLICY);

    /** What happened ({@code enum nft_trace_types}). */
    public enum Type {
        /** The packet reached the end of a base chain. */
        POLICY,
        /** It reached the end of another chain, or a rule sent it back. */
        RETURN,
        /** A rule applied to it. */
        RULE,
        /** Something that this program does not know. */
        OTHER
    }

    public static TraceMessage read(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_TRACE");
        NfHeader header = NfHeader.read(body);
        Attrs attrs = body.attrs(TABLE);
        Type type = switch (attrs.get(TYPE, 0)) {
            case 1 -> Type.POLICY;
            case 2 -> Type.RETURN;
            case 3 -> Type.RULE;
            default -> Type.OTHER;
        };
        return new TraceMessage(
                new TableName(header.family(), attrs.get(TABLE_NAME)).chain(attrs.get(CHAIN)),
                type,
                attrs.get(RULE_HANDLE, 0),
                verdict(type, attrs),
                attrs.get(ID, 0),
                attrs.get(NETWORK_HEADER, Bytes.EMPTY),
                attrs.get(TRANSPORT_HEADER, Bytes.EMPTY),
                attrs.get(IIF, 0),
                attrs.get(OIF, 0),
                attrs.get(MARK, 0));
    }

    private static Optional<Verdict> verdict(Type type, Attrs attrs) throws DecodeException {
        if (type == Type.POLICY && attrs.has(POLICY)) {
            return Optional.of(attrs.get(POLICY) == 0 ? new Verdict.Drop() : new Verdict.Accept());
        }
        return attrs.has(VERDICT) ? Optional.of(Verdict.read(attrs.get(VERDICT))) : Optional.empty();
    }
}
