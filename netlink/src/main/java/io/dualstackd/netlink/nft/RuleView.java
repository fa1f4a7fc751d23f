package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.AttrCursor;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;

/**
 * A rule in a message of a list, its expressions not decoded: for callers that only compare them.
 *
 * @param handle given by the kernel
 * @param expressions as in {@link RuleBody#expressions}; can be iterated once
 */
public record RuleView(long handle, AttrCursor expressions) {

    public static RuleView read(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWRULE");
        NfHeader.read(body);
        AttrCursor attrs = body.cursor();
        long handle = 0;
        while (attrs.advance()) {
            int number = attrs.number();
            if (number == NftRule.HANDLE.number()) {
                handle = attrs.u64be();
            } else if (number == NftRule.EXPRESSIONS.number()) {
                attrs.enter();
                return new RuleView(handle, attrs);
            }
        }
        return new RuleView(handle, attrs);
    }

    /** The expressions among {@code attrs}; a cursor at its end means none. */
    static AttrCursor expressions(AttrCursor attrs) throws DecodeException {
        while (attrs.advance()) {
            if (attrs.number() == NftRule.EXPRESSIONS.number()) {
                attrs.enter();
                return attrs;
            }
        }
        return attrs;
    }
}
