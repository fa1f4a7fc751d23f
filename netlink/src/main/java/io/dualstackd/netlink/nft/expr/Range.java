package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.Data;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/** Matches if a register's value is inside {@code from..to}, both included, or outside when {@code inverted}. */
public record Range(boolean inverted, int register, Bytes from, Bytes to) implements NftExpr {
    static final String NAME = "range";
    private static final Attr.U32be SREG = new Attr.U32be(1, "NFTA_RANGE_SREG");
    private static final Attr.U32be OP = new Attr.U32be(2, "NFTA_RANGE_OP");
    private static final Attr.Nest FROM = new Attr.Nest(3, "NFTA_RANGE_FROM_DATA", Data.TABLE);
    private static final Attr.Nest TO = new Attr.Nest(4, "NFTA_RANGE_TO_DATA", Data.TABLE);
    static final AttrTable TABLE = AttrTable.of("NFTA_RANGE", SREG, OP, FROM, TO);

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        int op = data.get(OP);
        return op != 0 && op != 1
                ? null
                : new Range(op == 1, data.get(SREG), Data.value(data, FROM), Data.value(data, TO));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(SREG, register);
        writer.put(OP, inverted ? 1 : 0);
        Data.write(writer, FROM, from);
        Data.write(writer, TO, to);
    }

    @Override
    public String toString() {
        return "[ range " + (inverted ? "neq" : "eq") + " reg " + register + " " + Data.words(from) + " "
                + Data.words(to) + " ]";
    }
}
