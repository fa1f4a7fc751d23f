package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.XtAttrs;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * An xtables match evaluated by nf_tables ({@code nft_compat}).
 *
 * @param extension the match's name, for example {@code comment}
 * @param info the match's C structure, in host order, padded to eight bytes
 */
public record XtMatchExpr(String extension, int revision, Bytes info) implements NftExpr {
    static final String NAME = "match";

    static NftExpr read(Attrs data) throws DecodeException {
        return new XtMatchExpr(data.get(XtAttrs.NAME), data.get(XtAttrs.REV), data.get(XtAttrs.INFO));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(XtAttrs.NAME, extension);
        writer.put(XtAttrs.REV, revision);
        writer.put(XtAttrs.INFO, info);
    }

    @Override
    public String toString() {
        return "[ match name " + extension + " rev " + revision + " ]";
    }
}
