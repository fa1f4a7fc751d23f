package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.Data;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Compares a register with a value.
 *
 * @param value 1 to 64 bytes; only as many bytes of the register are compared
 */
public record Cmp(CmpOp op, int register, Bytes value) implements NftExpr {
    static final String NAME = "cmp";
    private static final Attr.U32be SREG = new Attr.U32be(1, "NFTA_CMP_SREG");
    private static final Attr.U32be OP = new Attr.U32be(2, "NFTA_CMP_OP");
    private static final Attr.Nest DATA = new Attr.Nest(3, "NFTA_CMP_DATA", Data.TABLE);
    static final AttrTable TABLE = AttrTable.of("NFTA_CMP", SREG, OP, DATA);

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        CmpOp op = CmpOp.find(data.get(OP));
        return op == null ? null : new Cmp(op, data.get(SREG), Data.value(data, DATA));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(SREG, register);
        writer.put(OP, op.number());
        Data.write(writer, DATA, value);
    }

    @Override
    public String toString() {
        return "[ cmp " + op + " reg " + register + " " + Data.words(value) + " ]";
    }
}
