package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/** Uses a named object of the table, for example a counter. {@code type} is {@code NFT_OBJECT_*}: 1 counter, 2 quota, 3 ct helper, 4 limit. */
public record Objref(int type, String object) implements NftExpr {
    static final String NAME = "objref";
    private static final Attr.U32be IMM_TYPE = new Attr.U32be(1, "NFTA_OBJREF_IMM_TYPE");
    private static final Attr.Text IMM_NAME = new Attr.Text(2, "NFTA_OBJREF_IMM_NAME");
    static final AttrTable TABLE = AttrTable.of("NFTA_OBJREF", IMM_TYPE, IMM_NAME);

    static NftExpr read(Attrs data) throws DecodeException {
        return new Objref(data.get(IMM_TYPE), data.get(IMM_NAME));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(IMM_TYPE, type);
        writer.put(IMM_NAME, object);
    }

    @Override
    public String toString() {
        return "[ objref type " + type + " name " + object + " ]";
    }
}
