package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.PayloadAttrs;
import io.dualstackd.netlink.nft.data.PayloadBase;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Loads bytes of the packet into a register.
 *
 * @param offset bytes from the start of {@code base}
 * @param length bytes, 1 to 64
 */
public record Payload(PayloadBase base, int offset, int length, int register) implements NftExpr {
    static final String NAME = "payload";

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        PayloadBase base = PayloadBase.find(data.get(PayloadAttrs.BASE));
        return base == null
                ? null
                : new Payload(
                        base, data.get(PayloadAttrs.OFFSET), data.get(PayloadAttrs.LEN), data.get(PayloadAttrs.DREG));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(PayloadAttrs.DREG, register);
        writer.put(PayloadAttrs.BASE, base.number());
        writer.put(PayloadAttrs.OFFSET, offset);
        writer.put(PayloadAttrs.LEN, length);
    }

    @Override
    public String toString() {
        return "[ payload load " + length + "b @ " + base + " + " + offset + " => reg " + register + " ]";
    }
}
