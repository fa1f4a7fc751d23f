package io.dualstackd.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.explain.ChainJudgement.Answer;
import io.dualstackd.explain.ChainJudgement.KeySource;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.CtKey;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Bitwise;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Ct;
import io.dualstackd.netlink.nft.expr.Immediate;
import io.dualstackd.netlink.nft.expr.Limit;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.MetaSet;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Notrack;
import io.dualstackd.netlink.nft.expr.OtherExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.nft.expr.XtTargetExpr;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ChainJudgementTest {
    private static final int BIT = 0x4000;
    /** The second of these bytes. */
    private static final int BY_ONE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 << 8 : 1 << 16;

    /** Three bytes of {@code struct xt_connmark_tginfo2}: no shift to the left, by 0 bits, {@code XT_CONNMARK_RESTORE}. */
    private static final int RESTORE_UNSHIFTED = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 2 << 16 : 2 << 8;

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
            PassingPacket.Tracking.NEW,
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
                .isEqualTo(new HostPath.Finding(
                        "wall", HostPath.Verdict.BYPASSES, "by rule 1 of chain forward (notrack)"));
        assertThat(judged(sometimes, notrack))
                .isEqualTo(new HostPath.Finding(
                        "wall", HostPath.Verdict.MAY_BYPASS, "by rule 2 of chain forward (notrack)"));
    }

    /** The packet of {@link #PACKET} with a mark whose bit 0x4000 is known. */
    private static PassingPacket marked(int mark) {
        return new PassingPacket(
                PACKET.source(),
                PACKET.destination(),
                PACKET.protocol(),
                PACKET.port(),
                PACKET.in(),
                PACKET.out(),
                true,
                mark,
                BIT,
                PassingPacket.Tracking.NEW,
                false);
    }

    private static List<NftExpr> setsMark(int and, int xor) {
        return List.of(
                new Meta(MetaKey.MARK, 1),
                new Bitwise(1, 1, Bytes.u32(and), Bytes.u32(xor)),
                new MetaSet(MetaKey.MARK, 1));
    }

    private static List<NftExpr> target(String name, int revision, int... numbers) {
        return List.of(new XtTargetExpr(name, revision, Bytes.written(Integer.BYTES * numbers.length, writer -> {
            for (int number : numbers) {
                writer.u32(number);
            }
        })));
    }

    static Stream<Arguments> rulesWithMarks() {
        return Stream.of(
                Arguments.of(setsMark(~BIT, 0), BIT, BIT),
                Arguments.of(setsMark(~BIT, BIT), BIT, 0),
                Arguments.of(setsMark(-1, BIT), 0, BIT),
                Arguments.of(setsMark(~1, 1), BIT, 0),
                Arguments.of(List.of(new Immediate(1, Bytes.u32(1)), new MetaSet(MetaKey.MARK, 1)), BIT, BIT),
                Arguments.of(List.of(new Immediate(1, Bytes.u32(1)), new MetaSet(MetaKey.MARK, 1)), 0, 0),
                Arguments.of(List.of(new Immediate(1, Bytes.u32(1)), new MetaSet(MetaKey.PRIORITY, 1)), BIT, 0),
                Arguments.of(List.of(new Ct(CtKey.MARK, 1), new MetaSet(MetaKey.MARK, 1)), 0, BIT),
                // What comes behind the change in the same rule does not undo it.
                Arguments.of(
                        List.of(
                                new Immediate(1, Bytes.u32(BIT)),
                                new MetaSet(MetaKey.MARK, 1),
                                new Meta(MetaKey.L4PROTO, 1),
                                new Cmp(CmpOp.EQ, 1, Bytes.u8(17))),
                        0,
                        BIT),
                Arguments.of(target("MARK", 2, 0x8000, 0x8000), 0, 0),
                Arguments.of(target("MARK", 2, BIT, BIT), 0, BIT),
                Arguments.of(target("MARK", 2, BIT, BIT), BIT, 0),
                Arguments.of(target("MARK", 2, 0, -1), BIT, BIT),
                Arguments.of(target("MARK", 1, 0, 0), BIT, BIT),
                Arguments.of(target("CONNMARK", 1, -1, -1, -1, 2), 0, BIT),
                Arguments.of(target("CONNMARK", 1, 0x80, 0x80, 0x80, 2), 0, 0),
                Arguments.of(target("CONNMARK", 1, -1, -1, -1, 1), 0, 0),
                Arguments.of(target("CONNMARK", 2, 0, 0x80, 0x80, RESTORE_UNSHIFTED), 0, 0),
                Arguments.of(target("CONNMARK", 2, 0, BIT, BIT, RESTORE_UNSHIFTED), 0, BIT),
                Arguments.of(target("CONNMARK", 2, 0, 0x80, 0x80, RESTORE_UNSHIFTED | BY_ONE), 0, BIT));
    }

    /** A rule of another program may ask for masquerade, or take that request back. */
    @ParameterizedTest
    @MethodSource("rulesWithMarks")
    void aRuleMayChangeTheMark(List<NftExpr> rule, int mark, int changed) {
        List<NftExpr> asked = List.of(
                new Meta(MetaKey.MARK, 1),
                new Bitwise(1, 1, Bytes.u32(BIT), Bytes.u32(0)),
                new Cmp(CmpOp.EQ, 1, Bytes.u32(mark)),
                new VerdictExpr(new Verdict.Drop()));
        ChainJudgement.Result judged = result(marked(mark), rule, asked);
        assertThat(judged.marked()).isEqualTo(changed);
        assertThat(judged.marks())
                .isEqualTo(changed == 0 ? Optional.empty() : Optional.of("by rule 1 of chain forward"));
        assertThat(judged.finding().verdict())
                .as("a rule that looks at the mark afterwards")
                .isEqualTo(changed == 0 ? HostPath.Verdict.DROPS : HostPath.Verdict.MAY_DROP);
    }

    /** The kernel executes a rule up to the first expression that does not match. */
    @Test
    void aRuleThatMatchesUpToNotrackUntracksAPacket() {
        assertThat(judged(List.of(new Notrack(), new Meta(MetaKey.L4PROTO, 1), new Cmp(CmpOp.EQ, 1, Bytes.u8(17)))))
                .isEqualTo(new HostPath.Finding(
                        "wall", HostPath.Verdict.BYPASSES, "by rule 1 of chain forward (notrack)"));
    }

    private static HostPath.Finding judged(NftExpr rule) {
        return judged(List.of(rule));
    }

    @SafeVarargs
    private static HostPath.Finding judged(List<NftExpr>... rules) {
        return result(PACKET, rules).finding();
    }

    @SafeVarargs
    private static ChainJudgement.Result result(PassingPacket packet, List<NftExpr>... rules) {
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
        return ChainJudgement.of(chains, "forward", NftHook.ACCEPT, "wall", packet);
    }
}
