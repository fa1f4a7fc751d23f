package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the client makes of answers that a kernel seldom gives. */
class NftClientAnswersTest {
    private static final TableName T = new TableName(NftFamily.IP, "t");
    private static final int NEW_TABLE = 0xa00;
    private static final int NEW_GENERATION = 0xa0f;

    @Test
    void refusalOfTheWholeBatchHasNoIndex() {
        assertThat(apply(sent -> List.of(Answers.refusal(sent.getFirst().sequence(), Errno.EPERM))))
                .isInstanceOfSatisfying(NftOutcome.Refused.class, refused -> {
                    assertThat(refused.problems()).singleElement().satisfies(problem -> {
                        assertThat(problem.index()).isNegative();
                        assertThat(problem).hasToString("transaction of 2 messages: EPERM (1) Operation not permitted");
                    });
                });
    }

    @Test
    void refusalQuotesTheKernel() {
        assertThat(apply(sent -> List.of(Answers.refusal(sent.get(2).sequence(), Errno.EINVAL, "Not like this", 24))))
                .isInstanceOfSatisfying(
                        NftOutcome.Refused.class,
                        refused -> assertThat(refused.problems())
                                .singleElement()
                                .hasToString(
                                        "add chain ip t c: EINVAL (22) Invalid argument, kernel says \"Not like this\","
                                                + " attribute at offset 24"));
    }

    @Test
    void restartMeansOutdated() {
        assertThat(apply(sent -> List.of(Answers.refusal(sent.getFirst().sequence(), Errno.ERESTART))))
                .isEqualTo(new NftOutcome.Outdated());
    }

    /** The kernel names the first message, whichever it was, and sends no other answer. */
    @Test
    void noMemoryIsARefusalOfTheWholeTransaction() {
        assertThat(apply(sent -> List.of(Answers.refusal(sent.get(1).sequence(), Errno.ENOMEM))))
                .isInstanceOfSatisfying(
                        NftOutcome.Refused.class,
                        refused -> assertThat(refused.problems())
                                .singleElement()
                                .satisfies(
                                        problem -> assertThat(problem.index()).isNegative())
                                .hasToString("transaction of 2 messages: ENOMEM (12) Cannot allocate memory"));
    }

    @Test
    void silenceMeansUnreachable() {
        assertThat(apply(sent -> List.of()))
                .isInstanceOfSatisfying(
                        NftOutcome.Unreachable.class,
                        unreachable -> assertThat(unreachable.reason())
                                .isInstanceOf(NetlinkException.NoAnswer.class)
                                .hasMessageStartingWith("nf_tables batch of 2 messages: no answer"));
    }

    @Test
    void lostAnswerMeansUnreachable() {
        assertThat(apply(sent -> List.of(new Arrival.Overrun())))
                .isInstanceOfSatisfying(
                        NftOutcome.Unreachable.class,
                        unreachable ->
                                assertThat(unreachable.reason()).isInstanceOf(NetlinkException.AnswerLost.class));
    }

    @Test
    void garbledEchoMeansUnreachable() {
        assertThat(apply(sent -> List.of(
                        Answers.data(NEW_GENERATION, 0, sent.get(1).sequence(), w -> w.u32(0)),
                        Answers.ack(sent.getLast().sequence() - 1))))
                .isInstanceOfSatisfying(
                        NftOutcome.Unreachable.class,
                        unreachable -> assertThat(unreachable.reason())
                                .isInstanceOf(NetlinkException.Malformed.class)
                                .hasMessageContaining("NFTA_GEN_ID is missing"));
    }

    @Test
    void readingThatNeverSettlesGivesUp() {
        int[] generation = {0};
        ScriptedKernel kernel = new ScriptedKernel(sent -> List.of(
                Answers.data(NEW_GENERATION, 0, sequence(sent), w -> {
                    w.u32(0);
                    w.u16(8);
                    w.u16(1);
                    w.u32be(++generation[0]);
                }),
                Answers.ack(sequence(sent))));
        try (NftClient client = new NftClient(new NetlinkConnection(kernel))) {
            assertThatExceptionOfType(NetlinkException.DumpInterrupted.class)
                    .isThrownBy(() -> client.consistently(c -> "never the same"));
        }
        assertThat(kernel.received()).hasSize(NftClient.READ_ATTEMPTS + 1);
    }

    @Test
    void garbledListIsMalformed() {
        ScriptedKernel kernel = new ScriptedKernel(sent -> List.of(
                Answers.data(NEW_TABLE, NlFlags.MULTI, sequence(sent), w -> w.u32(0)), Answers.done(sequence(sent))));
        try (NftClient client = new NftClient(new NetlinkConnection(kernel))) {
            assertThatExceptionOfType(NetlinkException.Malformed.class)
                    .isThrownBy(() -> client.tables(NftFamily.IP))
                    .withMessageContaining("NFTA_TABLE_NAME is missing");
        }
    }

    private static NftOutcome apply(ScriptedKernel.Scene scene) {
        try (NftClient client = new NftClient(new NetlinkConnection(ScriptedKernel.ofScenes(scene)))) {
            return client.apply(NftBatch.begin().add(NftTable.of(T)).add(NftChain.of(T.chain("c"))));
        }
    }

    private static int sequence(List<NlMessage> sent) {
        return sent.getFirst().sequence();
    }
}
