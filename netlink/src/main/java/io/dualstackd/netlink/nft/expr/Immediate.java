package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.Data;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;

/** Loads a constant into a register. */
public record Immediate(int register, Bytes value) implements NftExpr {
    static final String NAME = "immediate";
    static final Attr.U32be DREG = new Attr.U32be(1, "NFTA_IMMEDIATE_DREG");
    static final Attr.Nest DATA = new Attr.Nest(2, "NFTA_IMMEDIATE_DATA", Data.TABLE);
    static final AttrTable TABLE = AttrTable.of("NFTA_IMMEDIATE", DREG, DATA);

    /** Reads an {@link Immediate} or a {@link VerdictExpr}: the kernel calls both {@code immediate}. */
    static NftExpr readEither(Attrs data) throws DecodeException {
        Attrs content = data.get(DATA);
        Verdict verdict = Data.findVerdict(content);
        return verdict != null ? new VerdictExpr(verdict) : new Immediate(data.get(DREG), Data.value(content));
    }

    @Override
    public void writeData(NlWriter writer) {
        writer.put(DREG, register);
        Data.write(writer, DATA, value);
    }

    @Override
    public String toString() {
        return "[ immediate reg " + register + " " + Data.words(value) + " ]";
    }
}
