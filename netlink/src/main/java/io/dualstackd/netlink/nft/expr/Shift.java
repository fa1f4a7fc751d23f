package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.BitwiseAttrs;
import io.dualstackd.netlink.nft.data.Data;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Shifts a register's value.
 *
 * @param length bytes of the value, a multiple of four
 * @param bits 1 to 31
 */
public record Shift(boolean left, int from, int to, int length, int bits) implements NftExpr {
    private static final int LEFT = 1;
    private static final int RIGHT = 2;

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        int op = data.get(BitwiseAttrs.OP);
        if (op != LEFT && op != RIGHT) {
            return null;
        }
        return new Shift(
                op == LEFT,
                data.get(BitwiseAttrs.SREG),
                data.get(BitwiseAttrs.DREG),
                data.get(BitwiseAttrs.LEN),
                Data.value(data, BitwiseAttrs.DATA).reader("NFTA_BITWISE_DATA").u32());
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(BitwiseAttrs.SREG, from);
        writer.put(BitwiseAttrs.DREG, to);
        writer.put(BitwiseAttrs.LEN, length);
        writer.put(BitwiseAttrs.OP, left ? LEFT : RIGHT);
        Data.write(writer, BitwiseAttrs.DATA, Bytes.u32(bits));
    }

    @Override
    public String toString() {
        return "[ bitwise reg " + to + " = ( reg " + from + (left ? " << " : " >> ") + Data.words(Bytes.u32(bits))
                + " ) ]";
    }
}
