package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.MetaAttrs;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/** Loads a property of the packet into a register. */
public record Meta(MetaKey key, int register) implements NftExpr {
    static final String NAME = "meta";

    static NftExpr read(Attrs data) throws DecodeException {
        return new Meta(new MetaKey(data.get(MetaAttrs.KEY)), data.get(MetaAttrs.DREG));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(MetaAttrs.KEY, key.number());
        writer.put(MetaAttrs.DREG, register);
    }

    @Override
    public String toString() {
        return "[ meta load " + key + " => reg " + register + " ]";
    }
}
