package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.expr.Expressions;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.wire.AttrCursor;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;

/**
 * The encoded content of a rule, without its chain: for callers that inspect it before they decide whether to send it.
 *
 * @param attributes {@code NFTA_RULE_EXPRESSIONS} and {@code NFTA_RULE_COMPAT}
 */
public record RuleBody(Bytes attributes) {
    /** A rule that does nothing. */
    public static final RuleBody EMPTY = new RuleBody(Bytes.EMPTY);

    /** @param scratch a writer used for encoding; its content is lost */
    public static RuleBody encode(NlWriter scratch, List<NftExpr> expressions, RuleCompat compat) {
        scratch.clear();
        NftRule.writeBody(scratch, expressions, compat);
        return new RuleBody(scratch.toBytes());
    }

    /** The expressions, each a nest as in {@code NFTA_EXPR}. */
    public AttrCursor expressions() throws DecodeException {
        return RuleView.expressions(attributes.reader("rule").cursor());
    }

    /** The expressions, decoded. */
    public List<NftExpr> decode() throws DecodeException {
        return Expressions.read(attributes.reader("rule").attrs(NftRule.TABLE), NftRule.EXPRESSIONS);
    }

    void writeTo(NlWriter writer) {
        writer.bytes(attributes);
    }
}
