package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.XtAttrs;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * An xtables target executed by nf_tables ({@code nft_compat}).
 *
 * @param extension the target's name, for example {@code DNAT}
 * @param info the target's C structure, in host order, padded to eight bytes
 */
public record XtTargetExpr(String extension, int revision, Bytes info) implements NftExpr {
    static final String NAME = "target";

    static NftExpr read(Attrs data) throws DecodeException {
        return new XtTargetExpr(data.get(XtAttrs.NAME), data.get(XtAttrs.REV), data.get(XtAttrs.INFO));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(XtAttrs.NAME, extension);
        writer.put(XtAttrs.REV, revision);
        writer.put(XtAttrs.INFO, info);
    }

    @Override
    public String toString() {
        return "[ target name " + extension + " rev " + revision + " ]";
    }
}
