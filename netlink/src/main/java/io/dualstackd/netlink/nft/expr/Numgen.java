package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Loads a number into a register: {@code offset} to {@code offset + modulus - 1}.
 *
 * @param random true for a random number, false for one that increments with each packet
 */
public record Numgen(boolean random, int modulus, int offset, int register) implements NftExpr {
    static final String NAME = "numgen";
    private static final Attr.U32be DREG = new Attr.U32be(1, "NFTA_NG_DREG");
    private static final Attr.U32be MODULUS = new Attr.U32be(2, "NFTA_NG_MODULUS");
    private static final Attr.U32be TYPE = new Attr.U32be(3, "NFTA_NG_TYPE");
    private static final Attr.U32be OFFSET = new Attr.U32be(4, "NFTA_NG_OFFSET");
    static final AttrTable TABLE = AttrTable.of("NFTA_NG", DREG, MODULUS, TYPE, OFFSET);

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        int type = data.get(TYPE);
        return type != 0 && type != 1
                ? null
                : new Numgen(type == 1, data.get(MODULUS), data.get(OFFSET, 0), data.get(DREG));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(DREG, register);
        writer.put(MODULUS, modulus);
        writer.put(TYPE, random ? 1 : 0);
        writer.put(OFFSET, offset);
    }

    @Override
    public String toString() {
        return "[ numgen reg " + register + " = " + (random ? "random" : "inc") + " mod " + modulus
                + (offset == 0 ? "" : " offset " + offset) + " ]";
    }
}
