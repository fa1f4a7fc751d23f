package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/** Sets a property of the connection from a register. */
public record CtSet(CtKey key, int register) implements NftExpr {
    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        return data.has(CtAttrs.DIRECTION) ? null : new CtSet(new CtKey(data.get(CtAttrs.KEY)), data.get(CtAttrs.SREG));
    }

    @Override
    public String name() {
        return Ct.NAME;
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
