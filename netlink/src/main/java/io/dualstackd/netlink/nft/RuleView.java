package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.AttrCursor;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;

/**
 * A rule as it lies in a message of a list, its expressions not decoded: for those who only compare them.
 *
 * @param handle given by the kernel
 * @param expressions as in {@link RuleBody#expressions}; to be walked over once
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

    /** The expressions among {@code attrs}; a cursor that has come to its end stands for none. */
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
