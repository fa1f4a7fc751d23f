package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.expr.Expressions;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;

/**
 * A rule.
 *
 * @param compat for rules with xtables extensions; {@link RuleCompat#NONE} in every rule read from the kernel
 * @param userData see {@link UserData}
 * @param handle given by the kernel, 0 when not known
 * @param position handle of the rule before this one as reported by the kernel, 0 for the first and when not known
 * @param id by which other messages of one transaction refer to it, 0 for none
 */
public record NftRule(
        ChainName chain,
        List<NftExpr> expressions,
        RuleCompat compat,
        Bytes userData,
        long handle,
        long position,
        int id) {
    private static final Attr.Text RULE_TABLE = new Attr.Text(1, "NFTA_RULE_TABLE");
    private static final Attr.Text CHAIN = new Attr.Text(2, "NFTA_RULE_CHAIN");
    static final Attr.U64be HANDLE = new Attr.U64be(3, "NFTA_RULE_HANDLE");
    static final Attr.ListOf EXPRESSIONS = new Attr.ListOf(4, "NFTA_RULE_EXPRESSIONS", Expressions.TABLE);
    private static final Attr.Nest COMPAT = new Attr.Nest(5, "NFTA_RULE_COMPAT", RuleCompat.TABLE);
    static final Attr.U64be POSITION = new Attr.U64be(6, "NFTA_RULE_POSITION");
    private static final Attr.Payload USERDATA = new Attr.Payload(7, "NFTA_RULE_USERDATA");
    private static final Attr.U32be ID = new Attr.U32be(9, "NFTA_RULE_ID");
    static final Attr.U32be POSITION_ID = new Attr.U32be(10, "NFTA_RULE_POSITION_ID");
    static final AttrTable TABLE = AttrTable.of(
            "NFTA_RULE", RULE_TABLE, CHAIN, HANDLE, EXPRESSIONS, COMPAT, POSITION, USERDATA, ID, POSITION_ID);

    public NftRule {
        expressions = List.copyOf(expressions);
    }

    /** A rule to be written. */
    public static NftRule of(ChainName chain, NftExpr... expressions) {
        return of(chain, List.of(expressions));
    }

    /** A rule to be written. */
    public static NftRule of(ChainName chain, List<NftExpr> expressions) {
        return new NftRule(chain, expressions, RuleCompat.NONE, Bytes.EMPTY, 0, 0, 0);
    }

    public NftRule withUserData(Bytes newUserData) {
        return new NftRule(chain, expressions, compat, newUserData, handle, position, id);
    }

    public NftRule withCompat(RuleCompat newCompat) {
        return new NftRule(chain, expressions, newCompat, userData, handle, position, id);
    }

    public static NftRule read(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWRULE");
        NfHeader header = NfHeader.read(body);
        Attrs attrs = body.attrs(TABLE);
        return new NftRule(
                new TableName(header.family(), attrs.get(RULE_TABLE)).chain(attrs.get(CHAIN)),
                Expressions.read(attrs, EXPRESSIONS),
                attrs.has(COMPAT) ? RuleCompat.read(attrs.get(COMPAT)) : RuleCompat.NONE,
                attrs.get(USERDATA, Bytes.EMPTY),
                attrs.get(HANDLE, 0),
                attrs.get(POSITION, 0),
                attrs.get(ID, 0));
    }

    /** Writes the rule without handle and position. */
    void writeTo(NlWriter writer) {
        writeChain(writer, chain);
        writeBody(writer, expressions, compat);
        if (userData.length() > 0) {
            writer.put(USERDATA, userData);
        }
        if (id != 0) {
            writer.put(ID, id);
        }
    }

    /** Writes the content of a rule, without its chain. */
    static void writeBody(NlWriter writer, List<NftExpr> expressions, RuleCompat compat) {
        if (!expressions.isEmpty()) {
            Expressions.write(writer, EXPRESSIONS, expressions);
        }
        if (!compat.equals(RuleCompat.NONE)) {
            compat.writeTo(writer, COMPAT);
        }
    }

    /** Writes the attributes that select all rules of a chain. */
    static void writeChain(NlWriter writer, ChainName chain) {
        NfHeader.write(writer, chain.table().family());
        writer.put(RULE_TABLE, chain.table().name());
        writer.put(CHAIN, chain.name());
    }

    /** Writes the attributes that select the rules of a table. */
    static void writeTable(NlWriter writer, TableName table) {
        NfHeader.write(writer, table.family());
        writer.put(RULE_TABLE, table.name());
    }

    static void writeHandle(NlWriter writer, long handle) {
        writer.put(HANDLE, handle);
    }

    /** The chain, then one line per expression as {@code nft --debug=netlink} prints it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("rule ").append(chain);
        if (handle != 0) {
            text.append(" handle ").append(handle);
        }
        expressions.forEach(expression -> text.append("\n  ").append(expression));
        return text.toString();
    }
}
