package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/** Counts the packets that reach it; holds the initial values, or those read. */
public record Counter(long packets, long bytes) implements NftExpr {
    /** A counter that starts at zero. */
    public static final Counter ZERO = new Counter(0, 0);

    static final String NAME = "counter";
    private static final Attr.U64be BYTES = new Attr.U64be(1, "NFTA_COUNTER_BYTES");
    private static final Attr.U64be PACKETS = new Attr.U64be(2, "NFTA_COUNTER_PACKETS");
    /** Padding that the kernel may insert to align the eight-byte values. */
    private static final Attr.Payload PAD = new Attr.Payload(3, "NFTA_COUNTER_PAD");

    static final AttrTable TABLE = AttrTable.of("NFTA_COUNTER", BYTES, PACKETS, PAD);

    static NftExpr read(Attrs data) throws DecodeException {
        long packets = data.get(PACKETS);
        long bytes = data.get(BYTES);
        return packets == 0 && bytes == 0 ? ZERO : new Counter(packets, bytes);
    }

    /** The sum of both. */
    public Counter plus(Counter other) {
        return new Counter(packets + other.packets, bytes + other.bytes);
    }

    /** The difference to the other, at least zero. */
    public Counter minus(Counter other) {
        return new Counter(Math.max(0, packets - other.packets), Math.max(0, bytes - other.bytes));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(BYTES, bytes);
        writer.put(PACKETS, packets);
    }

    @Override
    public String toString() {
        return "[ counter pkts " + Long.toUnsignedString(packets) + " bytes " + Long.toUnsignedString(bytes) + " ]";
    }
}
