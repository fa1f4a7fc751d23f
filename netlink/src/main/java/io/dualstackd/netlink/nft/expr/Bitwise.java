package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.BitwiseAttrs;
import io.dualstackd.netlink.nft.data.Data;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/** {@code to = (from & mask) ^ xor}. Mask and xor have the length of the value, 1 to 64 bytes. */
public record Bitwise(int from, int to, Bytes mask, Bytes xor) implements NftExpr {
    static final String NAME = "bitwise";

    public Bitwise {
        if (mask.length() != xor.length()) {
            throw new IllegalArgumentException("mask has " + mask.length() + " bytes, xor has " + xor.length());
        }
    }

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        if (!data.has(BitwiseAttrs.MASK) || !data.has(BitwiseAttrs.XOR) || data.has(BitwiseAttrs.DATA)) {
            return null;
        }
        Bytes mask = Data.value(data, BitwiseAttrs.MASK);
        Bytes xor = Data.value(data, BitwiseAttrs.XOR);
        return mask.length() != xor.length() || mask.length() != data.get(BitwiseAttrs.LEN)
                ? null
                : new Bitwise(data.get(BitwiseAttrs.SREG), data.get(BitwiseAttrs.DREG), mask, xor);
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(BitwiseAttrs.SREG, from);
        writer.put(BitwiseAttrs.DREG, to);
        writer.put(BitwiseAttrs.LEN, mask.length());
        writer.put(BitwiseAttrs.OP, 0);
        Data.write(writer, BitwiseAttrs.MASK, mask);
        Data.write(writer, BitwiseAttrs.XOR, xor);
    }

    @Override
    public String toString() {
        return "[ bitwise reg " + to + " = ( reg " + from + " & " + Data.words(mask) + " ) ^ " + Data.words(xor) + " ]";
    }
}
