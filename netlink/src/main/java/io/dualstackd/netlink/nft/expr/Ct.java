package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.CtAttrs;
import io.dualstackd.netlink.nft.data.CtKey;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Loads a property of the connection into a register.
 *
 * @param direction 0 original, 1 reply, {@link #NO_DIRECTION} for keys without direction
 */
public record Ct(CtKey key, int direction, int register) implements NftExpr {
    /** The direction of keys that belong to the connection as a whole. */
    public static final int NO_DIRECTION = -1;

    static final String NAME = "ct";

    public Ct(CtKey key, int register) {
        this(key, NO_DIRECTION, register);
    }

    static NftExpr read(Attrs data) throws DecodeException {
        return new Ct(
                new CtKey(data.get(CtAttrs.KEY)), data.get(CtAttrs.DIRECTION, NO_DIRECTION), data.get(CtAttrs.DREG));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(CtAttrs.DREG, register);
        writer.put(CtAttrs.KEY, key.number());
        if (direction != NO_DIRECTION) {
            writer.put(CtAttrs.DIRECTION, direction);
        }
    }

    @Override
    public String toString() {
        String dir = direction == NO_DIRECTION ? "" : ", dir " + (direction == 0 ? "original" : "reply");
        return "[ ct load " + key + " => reg " + register + " " + dir + (dir.isEmpty() ? "]" : " ]");
    }

    /** Sets a property of the connection from a register. */
    public record Set(CtKey key, int register) implements NftExpr {
        static @Nullable NftExpr read(Attrs data) throws DecodeException {
            return data.has(CtAttrs.DIRECTION)
                    ? null
                    : new Set(new CtKey(data.get(CtAttrs.KEY)), data.get(CtAttrs.SREG));
        }

        @Override
        public void writeData(NlWriter writer) {
            writer.put(CtAttrs.SREG, register);
            writer.put(CtAttrs.KEY, key.number());
        }

        @Override
        public String toString() {
            return "[ ct set " + key + " with reg " + register + " ]";
        }
    }
}
