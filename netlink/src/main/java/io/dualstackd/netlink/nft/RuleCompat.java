package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Properties of a rule that its xtables extensions check ({@code NFTA_RULE_COMPAT}): many refuse a rule without the right protocol. The
 * kernel checks them when a rule is created, and does not keep them.
 *
 * @param protocol the rule's {@code -p}, 0 for none
 * @param inverted true for {@code ! -p}
 */
public record RuleCompat(int protocol, boolean inverted) {
    /** No protocol. */
    public static final RuleCompat NONE = new RuleCompat(0, false);

    private static final int INVERTED = 1 << 1;
    private static final Attr.U32be PROTO = new Attr.U32be(1, "NFTA_RULE_COMPAT_PROTO");
    private static final Attr.U32be FLAGS = new Attr.U32be(2, "NFTA_RULE_COMPAT_FLAGS");
    static final AttrTable TABLE = AttrTable.of("NFTA_RULE_COMPAT", PROTO, FLAGS);

    static RuleCompat read(Attrs compat) throws DecodeException {
        return new RuleCompat(compat.get(PROTO), (compat.get(FLAGS) & INVERTED) != 0);
    }

    void writeTo(NlWriter writer, Attr.Nest nest) {
        int mark = writer.startNest(nest);
        writer.put(PROTO, protocol);
        writer.put(FLAGS, inverted ? INVERTED : 0);
        writer.endNest(mark, nest);
    }
}
