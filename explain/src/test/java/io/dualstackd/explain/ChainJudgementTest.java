package io.dualstackd.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.explain.ChainJudgement.Answer;
import io.dualstackd.explain.ChainJudgement.KeySource;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Limit;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Notrack;
import io.dualstackd.netlink.nft.expr.OtherExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChainJudgementTest {
    private static final PassingPacket PACKET = new PassingPacket(
            Optional.empty(),
            Ip.parse("10.0.0.2"),
            Proto.TCP,
            80,
            Optional.empty(),
            Optional.empty(),
            false,
            0,
            0,
            true);

    /** {@code queue num 7}, and {@code queue to} with a number from a register. */
    @Test
    void aProgramBehindAQueueMayDropAPacket() {
        boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        assertThat(judged(new OtherExpr("queue", Bytes.ofHex(little ? "06000100 00070000" : "00060001 00070000"))))
                .isEqualTo(new HostPath.Finding(
                        "wall", HostPath.Verdict.MAY_DROP, "by the program behind queue 7; 1 rule was not evaluated"));
        assertThat(judged(new OtherExpr("queue", Bytes.ofHex(little ? "08000400 00000008" : "00080004 00000008"))))
                .isEqualTo(new HostPath.Finding(
                        "wall", HostPath.Verdict.MAY_DROP, "by the program behind a queue; 1 rule was not evaluated"));
    }

    @Test
    void aRuleThatMayNotBeReachedMayUntrackAPacket() {
        List<NftExpr> notrack = List.of(new Notrack());
        List<NftExpr> sometimes = List.of(new Limit(5, 1, 5, 0, 0), new VerdictExpr(new Verdict.Return()));
        assertThat(judged(notrack))
                .isEqualTo(new HostPath.Finding("wall", HostPath.Verdict.BYPASSES, "by rule 1 of chain forward"));
        assertThat(judged(sometimes, notrack))
                .isEqualTo(new HostPath.Finding("wall", HostPath.Verdict.MAY_BYPASS, "by rule 2 of chain forward"));
    }

    private static HostPath.Finding judged(NftExpr rule) {
        return judged(List.of(rule));
    }

    @SafeVarargs
    private static HostPath.Finding judged(List<NftExpr>... rules) {
        ChainJudgement.Chains chains = new ChainJudgement.Chains() {
            @Override
            public Optional<List<List<NftExpr>>> rules(String chain) {
                return Optional.of(List.of(rules));
            }

            @Override
            public Answer find(String set, KeySource key) {
                return new Answer.NotAsked();
            }
        };
        return ChainJudgement.of(chains, "forward", NftHook.ACCEPT, "wall", PACKET);
    }
}
