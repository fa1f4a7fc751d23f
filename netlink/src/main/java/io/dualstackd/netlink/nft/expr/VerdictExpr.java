package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.nft.data.Data;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.NlWriter;

/** Ends the rule with a verdict: an {@code immediate} into the verdict register. */
public record VerdictExpr(Verdict verdict) implements NftExpr {
    private static final int VERDICT_REGISTER = 0;

    @Override
    public void writeData(NlWriter writer) {
        writer.put(Immediate.DREG, VERDICT_REGISTER);
        Data.write(writer, Immediate.DATA, verdict);
    }

    @Override
    public String toString() {
        return "[ immediate reg 0 " + verdict + " ]";
    }
}
