package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * An expression without a record of its own, kept as the kernel sent it and written back unchanged.
 *
 * @param data the attributes inside {@code NFTA_EXPR_DATA}
 */
public record OtherExpr(String name, Bytes data) implements NftExpr {
    @Override
    public void writeData(NlWriter writer) {
        writer.bytes(data);
    }

    @Override
    public String toString() {
        return "[ " + name + " 0x" + data + " ]";
    }
}
