package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Matches up to a rate.
 *
 * @param rate packets or bytes per {@code unit}
 * @param unit seconds: 1, 60, 3600, 86400 or 604800
 * @param burst packets or bytes above the rate
 * @param type {@code enum nft_limit_type}: 0 packets, 1 bytes
 * @param flags 1 to match above the rate instead
 */
public record Limit(long rate, long unit, int burst, int type, int flags) implements NftExpr {
    static final String NAME = "limit";
    private static final Attr.U64be RATE = new Attr.U64be(1, "NFTA_LIMIT_RATE");
    private static final Attr.U64be UNIT = new Attr.U64be(2, "NFTA_LIMIT_UNIT");
    private static final Attr.U32be BURST = new Attr.U32be(3, "NFTA_LIMIT_BURST");
    private static final Attr.U32be TYPE = new Attr.U32be(4, "NFTA_LIMIT_TYPE");
    private static final Attr.U32be FLAGS = new Attr.U32be(5, "NFTA_LIMIT_FLAGS");
    private static final Attr.Payload PAD = new Attr.Payload(6, "NFTA_LIMIT_PAD");
    static final AttrTable TABLE = AttrTable.of("NFTA_LIMIT", RATE, UNIT, BURST, TYPE, FLAGS, PAD);

    static NftExpr read(Attrs data) throws DecodeException {
        return new Limit(data.get(RATE), data.get(UNIT), data.get(BURST, 0), data.get(TYPE, 0), data.get(FLAGS, 0));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(RATE, rate);
        writer.put(UNIT, unit);
        writer.put(BURST, burst);
        writer.put(TYPE, type);
        writer.put(FLAGS, flags);
    }

    private String unitName() {
        return unit == 1
                ? "second"
                : unit == 60
                        ? "minute"
                        : unit == 3600 ? "hour" : unit == 86400 ? "day" : unit == 604800 ? "week" : unit + "s";
    }

    @Override
    public String toString() {
        return "[ limit rate " + rate + "/" + unitName() + " burst " + burst + " type "
                + (type == 0 ? "packets" : "bytes") + " flags 0x" + Integer.toHexString(flags) + " ]";
    }
}
