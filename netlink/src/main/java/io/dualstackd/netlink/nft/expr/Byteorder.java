package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Converts numbers between host and network order.
 *
 * @param toNetwork true for host to network
 * @param length bytes of the value
 * @param size bytes of one number in it: 2, 4 or 8
 */
public record Byteorder(int from, int to, boolean toNetwork, int length, int size) implements NftExpr {
    static final String NAME = "byteorder";
    private static final Attr.U32be SREG = new Attr.U32be(1, "NFTA_BYTEORDER_SREG");
    private static final Attr.U32be DREG = new Attr.U32be(2, "NFTA_BYTEORDER_DREG");
    private static final Attr.U32be OP = new Attr.U32be(3, "NFTA_BYTEORDER_OP");
    private static final Attr.U32be LEN = new Attr.U32be(4, "NFTA_BYTEORDER_LEN");
    private static final Attr.U32be SIZE = new Attr.U32be(5, "NFTA_BYTEORDER_SIZE");
    static final AttrTable TABLE = AttrTable.of("NFTA_BYTEORDER", SREG, DREG, OP, LEN, SIZE);

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        int op = data.get(OP);
        return op != 0 && op != 1
                ? null
                : new Byteorder(data.get(SREG), data.get(DREG), op == 1, data.get(LEN), data.get(SIZE));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(SREG, from);
        writer.put(DREG, to);
        writer.put(OP, toNetwork ? 1 : 0);
        writer.put(LEN, length);
        writer.put(SIZE, size);
    }

    @Override
    public String toString() {
        return "[ byteorder reg " + to + " = " + (toNetwork ? "hton" : "ntoh") + "(reg " + from + ", " + size + ", "
                + length + ") ]";
    }
}
