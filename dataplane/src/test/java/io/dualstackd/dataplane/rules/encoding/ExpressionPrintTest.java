package io.dualstackd.dataplane.rules.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.RuleCompat;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.XtMatchExpr;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExpressionPrintTest {
    private static final NftExpr CMP = new Cmp(CmpOp.EQ, 1, Bytes.u8(6));

    private final ExpressionPrint print = new ExpressionPrint(new PrintKey(1, 2));

    private Fingerprint of(NftExpr... expressions) throws Exception {
        RuleBody body = RuleBody.encode(new NlWriter(), List.of(expressions), RuleCompat.NONE);
        return print.of(body.expressions());
    }

    private static NftExpr comment(String hex) {
        return new XtMatchExpr("comment", 0, Bytes.ofHex(hex));
    }

    @Test
    void countersDoNotAffectThePrint() throws Exception {
        assertThat(of(CMP, new Counter(3, 180), CMP)).isEqualTo(of(CMP, Counter.ZERO, CMP));
    }

    @Test
    void thatThereIsACounterCounts() throws Exception {
        assertThat(of(CMP, Counter.ZERO)).isNotEqualTo(of(CMP));
    }

    @Test
    void orderAndContentCount() throws Exception {
        assertThat(of(CMP, Counter.ZERO)).isNotEqualTo(of(Counter.ZERO, CMP));
        assertThat(of(CMP)).isNotEqualTo(of(new Cmp(CmpOp.NEQ, 1, Bytes.u8(6))));
        assertThat(of(CMP)).isNotEqualTo(of(new Cmp(CmpOp.EQ, 1, Bytes.u8(7))));
        assertThat(of()).isNotEqualTo(of(CMP));
    }

    @Test
    void zerosAtTheEndCountByTheirNumber() throws Exception {
        assertThat(of(comment("6100000000000000"))).isNotEqualTo(of(comment("61000000000000000000000000000000")));
        assertThat(of(comment("00000000"))).isNotEqualTo(of(comment("0000000000000000")));
    }

    @Test
    void printDependsOnTheKey() throws Exception {
        RuleBody body = RuleBody.encode(new NlWriter(), List.of(CMP), RuleCompat.NONE);
        assertThat(new ExpressionPrint(new PrintKey(2, 1)).of(body.expressions()))
                .isNotEqualTo(print.of(body.expressions()));
    }

    @Test
    void theFlagBitsOfAttributeHeadersDoNotCount() throws Exception {
        RuleBody body = RuleBody.encode(new NlWriter(), List.of(CMP, Counter.ZERO), RuleCompat.NONE);
        byte[] bytes = body.attributes().toArray();
        // Every nest of ours carries NLA_F_NESTED in the upper byte of its type; the kernel leaves it out.
        for (int at = 3; at < bytes.length; at += 4) {
            if (bytes[at] == (byte) 0x80) {
                bytes[at] = 0;
            }
        }
        assertThat(print.of(new RuleBody(Bytes.of(bytes)).expressions())).isEqualTo(print.of(body.expressions()));
    }
}
