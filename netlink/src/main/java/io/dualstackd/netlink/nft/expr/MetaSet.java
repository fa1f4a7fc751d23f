package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.MetaAttrs;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/** Sets a property of the packet from a register. */
public record MetaSet(MetaKey key, int register) implements NftExpr {
    static NftExpr read(Attrs data) throws DecodeException {
        return new MetaSet(new MetaKey(data.get(MetaAttrs.KEY)), data.get(MetaAttrs.SREG));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(MetaAttrs.KEY, key.number());
        writer.put(MetaAttrs.SREG, register);
    }

    @Override
    public String toString() {
        return "[ meta set " + key + " with reg " + register + " ]";
    }
}
