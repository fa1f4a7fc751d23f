package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NetlinkConnectionTest {
    private static final int DATA = 77;
    private static final Request ASK = new Request("ask", 40, 0, w -> w.u32(1));

    @Nested
    class Requests {
        @Test
        void acknowledgedWithWhatCameBefore() throws NetlinkException {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(
                    sent -> List.of(Answers.data(DATA, 0, sequence(sent), w -> w.u32(5)), Answers.ack(sequence(sent))));
            assertThat(new NetlinkConnection(kernel).request(ASK))
                    .extracting(NlMessage::type)
                    .containsExactly(DATA);
            assertThat(kernel.received().getFirst().getFirst().flags()).isEqualTo(NlFlags.REQUEST | NlFlags.ACK);
        }

        @Test
        void refusalHasAllDetails() {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(
                    sent -> List.of(Answers.refusal(sequence(sent), Errno.EINVAL, "Not like this", 36)));
            assertThatExceptionOfType(NetlinkException.Refused.class)
                    .isThrownBy(() -> new NetlinkConnection(kernel).request(ASK))
                    .withMessage(
                            "ask: EINVAL (22) Invalid argument, kernel says \"Not like this\", attribute at offset 36")
                    .satisfies(e -> {
                        assertThat(e.refusal().offset()).hasValue(36);
                        assertThat(e.refusal().missing()).isEmpty();
                    });
        }

        @Test
        void answersToEarlierRequestsArePassedOver() throws NetlinkException {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(
                    sent -> List.of(),
                    sent -> List.of(Answers.refusal(sequence(sent) - 1, Errno.EPERM), Answers.ack(sequence(sent))));
            NetlinkConnection netlinkConnection = new NetlinkConnection(kernel);
            assertThatExceptionOfType(NetlinkException.NoAnswer.class)
                    .isThrownBy(() -> netlinkConnection.request(ASK))
                    .withMessage("ask: no answer from the kernel in 10000 ms, so the result is unknown");
            assertThat(netlinkConnection.request(ASK)).isEmpty();
        }

        @Test
        void lostAnswerIsNeitherYesNorNo() {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(sent -> List.of(new Arrival.Overrun()));
            assertThatExceptionOfType(NetlinkException.AnswerLost.class)
                    .isThrownBy(() -> new NetlinkConnection(kernel).request(ASK));
        }

        @Test
        void errorThatIsNoErrorIsMalformed() {
            ScriptedKernel positive =
                    ScriptedKernel.ofScenes(sent -> List.of(Answers.data(NlMessage.ERROR, 0, sequence(sent), w -> {
                        w.u32(5);
                        w.zeros(16);
                    })));
            assertThatExceptionOfType(NetlinkException.Malformed.class)
                    .isThrownBy(() -> new NetlinkConnection(positive).request(ASK))
                    .withMessageContaining("NLMSG_ERROR: want an error number of 0 or less, got 5");
            ScriptedKernel tooShort = ScriptedKernel.ofScenes(
                    sent -> List.of(Answers.data(NlMessage.ERROR, 0, sequence(sent), w -> w.u32(-5))));
            assertThatExceptionOfType(NetlinkException.Malformed.class)
                    .isThrownBy(() -> new NetlinkConnection(tooShort).request(ASK));
        }

        @Test
        void quotedRequestBeforeTheExplanationIsSkipped() {
            // As kernels answer that do not know NETLINK_CAP_ACK.
            ScriptedKernel kernel = ScriptedKernel.ofScenes(sent ->
                    List.of(Answers.data(NlMessage.ERROR, NlFlags.ACK_ATTRIBUTES, sequence(sent), w -> {
                        w.u32(-Errno.ENOENT.number());
                        w.bytes(sent.getFirst().toBytes());
                        w.u16(4 + 3);
                        w.u16(1);
                        w.bytes(new byte[] {'n', 'o', 0, 0}, 0, 4);
                    })));
            assertThatExceptionOfType(NetlinkException.Refused.class)
                    .isThrownBy(() -> new NetlinkConnection(kernel).request(ASK))
                    .satisfies(e -> assertThat(e.refusal().kernelSays()).isEqualTo("no"));
        }

        @Test
        void closedTransportFailsWithClosed() {
            NetlinkConnection netlinkConnection = new NetlinkConnection(ScriptedKernel.ofScenes());
            netlinkConnection.close();
            assertThatExceptionOfType(NetlinkException.Closed.class).isThrownBy(() -> netlinkConnection.request(ASK));
        }
    }

    @Nested
    class Dumps {
        @Test
        void ofSeveralDatagrams() throws NetlinkException {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(list(0, 2));
            assertThat(new NetlinkConnection(kernel)
                            .dump(ASK, m -> m.body("DATA").u32()))
                    .containsExactly(0, 1);
            assertThat(kernel.received().getFirst().getFirst().flags()).isEqualTo(NlFlags.REQUEST | NlFlags.DUMP);
        }

        @Test
        void interruptedOneIsReadAgain() throws NetlinkException {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(list(NlFlags.DUMP_INTERRUPTED, 3), list(0, 2));
            assertThat(new NetlinkConnection(kernel).dump(ASK, message -> message))
                    .hasSize(2);
        }

        @Test
        void interruptionMayBeFlaggedInTheLastMessage() throws NetlinkException {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(
                    sent -> List.of(Answers.data(
                            NlMessage.DONE, NlFlags.DUMP_INTERRUPTED, sequence(sent), body -> body.u32(0))),
                    list(0, 2));
            assertThat(new NetlinkConnection(kernel).dump(ASK, message -> message))
                    .hasSize(2);
        }

        @Test
        void alwaysInterruptedOneEnds() {
            ScriptedKernel kernel = new ScriptedKernel(list(NlFlags.DUMP_INTERRUPTED, 1));
            assertThatExceptionOfType(NetlinkException.DumpInterrupted.class)
                    .isThrownBy(() -> new NetlinkConnection(kernel).dump(ASK, message -> message))
                    .withMessage("ask: changed while being read, 20 times in a row");
            assertThat(kernel.received()).hasSize(NetlinkConnection.DUMP_ATTEMPTS);
        }

        @Test
        void overrunInTheMiddleIsReadAgain() throws NetlinkException {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(
                    sent -> List.of(
                            Answers.data(DATA, NlFlags.MULTI, sequence(sent), w -> w.u32(0)),
                            new Arrival.Overrun(),
                            Answers.done(sequence(sent))),
                    list(0, 4));
            assertThat(new NetlinkConnection(kernel).dump(ASK, message -> message))
                    .hasSize(4);
        }

        @Test
        void failureHalfWayIsARefusal() {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(sent -> List.of(
                    Answers.data(DATA, NlFlags.MULTI, sequence(sent), w -> w.u32(0)),
                    Answers.data(NlMessage.DONE, NlFlags.MULTI, sequence(sent), w -> w.u32(-Errno.ENOMEM.number()))));
            assertThatExceptionOfType(NetlinkException.Refused.class)
                    .isThrownBy(() -> new NetlinkConnection(kernel).dump(ASK, message -> message))
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        }

        @Test
        void undecodableMessageIsMalformed() {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(list(0, 1));
            assertThatExceptionOfType(NetlinkException.Malformed.class)
                    .isThrownBy(() -> new NetlinkConnection(kernel)
                            .dump(ASK, m -> m.body("DATA").bytes(8)))
                    .withMessage("ask: cannot read the kernel's answer: DATA: want 8 bytes, got 4, at offset 0");
        }

        @Test
        void visitorThatFailsLeavesNothingUnread() throws NetlinkException {
            ScriptedKernel kernel = ScriptedKernel.ofScenes(list(0, 3), list(0, 2));
            NetlinkConnection netlinkConnection = new NetlinkConnection(kernel);
            List<Integer> seen = new ArrayList<>();
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> netlinkConnection.dumpOnce(ASK, m -> {
                        seen.add(m.body("DATA").u32());
                        throw new IllegalStateException("of the visitor");
                    }));
            assertThat(seen).containsExactly(0);
            assertThat(kernel.receive(Duration.ZERO)).isInstanceOf(Arrival.Silence.class);
        }

        private ScriptedKernel.Scene list(int flags, int count) {
            return sent -> {
                List<Arrival> arrivals = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    int number = i;
                    arrivals.add(Answers.data(DATA, NlFlags.MULTI | flags, sequence(sent), w -> w.u32(number)));
                }
                arrivals.add(Answers.done(sequence(sent)));
                return arrivals;
            };
        }
    }

    @Nested
    class Batches {
        @Test
        void echoesMayComeBeforeTheAcknowledgement() throws NetlinkException {
            BatchAnswer answer = answerTo(first -> List.of(
                    Answers.data(DATA, 0, first + 1, w -> w.u32(1)),
                    Answers.data(DATA, 0, first + 2, w -> w.u32(2)),
                    Answers.ack(first + 3)));
            assertThat(answer.accepted()).isTrue();
            assertThat(answer.echoes()).hasSize(2);
        }

        @Test
        void everyRefusalNamesItsMessage() throws NetlinkException {
            BatchAnswer answer = answerTo(first -> List.of(
                    Answers.refusal(first + 1, Errno.ENOENT, "No such chain", 20),
                    Answers.refusal(first + 2, Errno.EEXIST),
                    Answers.ack(first + 3)));
            assertThat(answer.accepted()).isFalse();
            assertThat(answer.refusals()).extracting(Refusal::sequence).containsExactly(2, 3);
            assertThat(answer.refusals()).extracting(Refusal::errno).containsExactly(Errno.ENOENT, Errno.EEXIST);
        }

        @Test
        void refusalOfTheBeginConcernsTheWholeBatch() throws NetlinkException {
            BatchAnswer answer = answerTo(first -> List.of(Answers.refusal(first, Errno.ERESTART)));
            assertThat(answer.refusals()).containsExactly(Refusal.of(1, Errno.ERESTART));
        }

        /** As the kernel does when others changed the rule set while it loaded a module for that message. */
        @Test
        void restartConcernsTheWholeBatchWhateverMessageItNames() throws NetlinkException {
            for (int message = 1; message <= 4; message++) {
                int named = message;
                BatchAnswer answer = answerTo(first -> List.of(Answers.refusal(first + named, Errno.ERESTART)));
                assertThat(answer.refusals()).containsExactly(Refusal.of(1 + named, Errno.ERESTART));
            }
        }

        @Test
        void acknowledgementOfTheBeginDoesNotEndIt() throws NetlinkException {
            BatchAnswer answer =
                    answerTo(first -> List.of(Answers.ack(first), Answers.refusal(first + 3, Errno.EINVAL)));
            assertThat(answer.refusals()).containsExactly(Refusal.of(4, Errno.EINVAL));
        }

        @Test
        void foreignAnswersArePassedOver() throws NetlinkException {
            BatchAnswer answer = answerTo(first -> List.of(
                    Answers.refusal(first - 1, Errno.EPERM),
                    Answers.data(DATA, 0, 0, w -> w.u32(1)),
                    Answers.ack(first + 4),
                    Answers.ack(first + 3)));
            assertThat(answer).isEqualTo(new BatchAnswer(List.of(), List.of()));
        }

        @Test
        void oneRefusalIsEnoughWhenOthersAreLost() throws NetlinkException {
            BatchAnswer answer =
                    answerTo(first -> List.of(Answers.refusal(first + 1, Errno.ENOENT), new Arrival.Overrun()));
            assertThat(answer.refusals()).hasSize(1);
        }

        @Test
        void withoutAnyAnswerNothingIsKnown() {
            assertThatExceptionOfType(NetlinkException.AnswerLost.class)
                    .isThrownBy(() -> answerTo(first -> List.of(new Arrival.Overrun())));
            assertThatExceptionOfType(NetlinkException.NoAnswer.class).isThrownBy(() -> answerTo(first -> List.of()));
        }

        /** A begin and three messages, with the sequence numbers 1 to 4. */
        private BatchAnswer answerTo(IntFunction<List<Arrival>> scene) throws NetlinkException {
            NetlinkConnection netlinkConnection =
                    new NetlinkConnection(ScriptedKernel.ofScenes(sent -> scene.apply(sequence(sent))));
            int first = netlinkConnection.reserveSequences(4);
            NlWriter batch = new NlWriter();
            for (int i = 0; i < 4; i++) {
                Answers.message(batch, 40, NlFlags.REQUEST, first + i, w -> w.u32(0));
            }
            return netlinkConnection.batch("commit", batch, first, first + 3);
        }
    }

    @Test
    void sequenceNumbersNeverAreZeroOrNegative() {
        NetlinkConnection netlinkConnection = new NetlinkConnection(ScriptedKernel.ofScenes());
        assertThat(netlinkConnection.reserveSequences(Integer.MAX_VALUE - 10)).isEqualTo(1);
        assertThat(netlinkConnection.reserveSequences(20)).isEqualTo(1);
        assertThat(netlinkConnection.reserveSequences(1)).isEqualTo(21);
    }

    private static int sequence(List<NlMessage> sent) {
        return sent.getFirst().sequence();
    }
}
