package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.conntrack.ConntrackEntry;
import io.dualstackd.netlink.conntrack.ConntrackMessages;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.conntrack.FlowTuple;
import io.dualstackd.netlink.io.ConntrackClient.Walk;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers the running kernel gives too seldom for a test. */
class ConntrackAnswersTest {
    private static final FlowFilter UDP = new FlowFilter.OfProto(IpFamily.IPV4, Proto.UDP);

    private static ConntrackEntry flow(int sourcePort) {
        IpPort client = new IpPort(Ip.parse("10.0.0.1"), sourcePort);
        IpPort server = new IpPort(Ip.parse("10.96.0.10"), 53);
        return ConntrackEntry.of(FlowTuple.of(Proto.UDP, client, server), FlowTuple.of(Proto.UDP, server, client), 600);
    }

    /** Lists these flows, each time anew. */
    private static ScriptedKernel listing(int flags, ConntrackEntry... flows) {
        return new ScriptedKernel(sent -> {
            int sequence = sent.getFirst().sequence();
            List<Arrival> answers = new ArrayList<>();
            for (ConntrackEntry flow : flows) {
                answers.add(Answers.data(ConntrackMessages.NEW, NlFlags.MULTI | flags, sequence, flow::writeTo));
            }
            answers.add(Answers.done(sequence));
            return answers;
        });
    }

    /** Refuses the first message of every datagram, once for each given error, and takes all others. */
    private static ScriptedKernel refusing(Errno... errors) {
        List<Errno> left = new ArrayList<>(List.of(errors));
        return new ScriptedKernel(sent -> {
            List<Arrival> answers = new ArrayList<>();
            boolean refused = !left.isEmpty();
            if (refused) {
                answers.add(Answers.refusal(sent.getFirst().sequence(), left.removeFirst()));
            }
            if (!refused || sent.size() > 1) {
                answers.add(Answers.ack(sent.getLast().sequence()));
            }
            return answers;
        });
    }

    private static ConntrackClient client(ScriptedKernel reading, ScriptedKernel changing) {
        return new ConntrackClient(new NetlinkConnection(reading), new NetlinkConnection(changing));
    }

    @Test
    void retriesBusyEntry() throws Exception {
        ScriptedKernel changing = refusing(Errno.EBUSY, Errno.EINTR, Errno.EAGAIN);
        try (ConntrackClient client = client(listing(0), changing)) {
            assertThat(client.delete(List.of(flow(1), flow(2)))).isEqualTo(2);
            assertThat(changing.received()).extracting(List::size).containsExactly(2, 1, 1, 1);
        }
    }

    @Test
    void permanentlyBusyEntryIsAFailure() {
        ScriptedKernel changing = refusing(Errno.EBUSY, Errno.EBUSY, Errno.EBUSY, Errno.EBUSY, Errno.EBUSY);
        try (ConntrackClient client = client(listing(0), changing)) {
            assertThatExceptionOfType(NetlinkException.Refused.class)
                    .isThrownBy(() -> client.delete(List.of(flow(1))))
                    .withMessageContaining("delete flow udp 10.0.0.1:1")
                    .withMessageContaining("EBUSY");
        }
    }

    @Test
    void vanishedEntriesAreNotCounted() throws Exception {
        try (ConntrackClient client = client(listing(0), refusing(Errno.ENOENT))) {
            assertThat(client.delete(List.of(flow(1), flow(2)))).isEqualTo(1);
        }
    }

    @Test
    void aRefusalEndsAWalkOnlyAtItsEnd() {
        ScriptedKernel changing = refusing(Errno.EPERM);
        ConntrackEntry[] many = new ConntrackEntry[ConntrackClient.CHUNK + 1];
        for (int i = 0; i < many.length; i++) {
            many[i] = flow(i + 1);
        }
        try (ConntrackClient client = client(listing(0, many), changing)) {
            assertThatExceptionOfType(NetlinkException.Refused.class)
                    .isThrownBy(() -> client.deleteIf(UDP, flow -> true))
                    .withMessageContaining("EPERM");
            assertThat(changing.received()).extracting(List::size).containsExactly(ConntrackClient.CHUNK, 1);
        }
    }

    /** Each further attempt would wait for an answer, too, and a full table has a thousand chunks. */
    @Test
    void afterAnAnswerThatIsMissingNothingMoreIsDeleted() {
        ScriptedKernel changing = new ScriptedKernel(sent -> List.of());
        ConntrackEntry[] many = new ConntrackEntry[3 * ConntrackClient.CHUNK];
        for (int i = 0; i < many.length; i++) {
            many[i] = flow(i + 1);
        }
        ScriptedKernel reading = listing(0, many);
        try (ConntrackClient client = client(reading, changing)) {
            assertThatExceptionOfType(NetlinkException.NoAnswer.class)
                    .isThrownBy(() -> client.deleteIf(UDP, flow -> true));
            assertThat(changing.received()).hasSize(1);
            assertThat(reading.received()).hasSize(1);
        }
    }

    /** What is not known weighs more than what is known to be refused. */
    @Test
    void aMissingAnswerAfterARefusalIsTheFailure() {
        ScriptedKernel changing = ScriptedKernel.ofScenes(
                sent -> List.of(Answers.refusal(sent.getLast().sequence(), Errno.EPERM)));
        ConntrackEntry[] many = new ConntrackEntry[3 * ConntrackClient.CHUNK];
        for (int i = 0; i < many.length; i++) {
            many[i] = flow(i + 1);
        }
        try (ConntrackClient client = client(listing(0, many), changing)) {
            assertThatExceptionOfType(NetlinkException.NoAnswer.class)
                    .isThrownBy(() -> client.deleteIf(UDP, flow -> true));
            assertThat(changing.received()).hasSize(2);
        }
    }

    @Test
    void aWalkThatIsInterruptedIsTakenForWhatItSaw() throws Exception {
        ScriptedKernel reading = listing(NlFlags.DUMP_INTERRUPTED, flow(1), flow(2));
        try (ConntrackClient client = client(reading, refusing())) {
            assertThat(client.deleteIf(UDP, flow -> flow.destination().port() == 53))
                    .isEqualTo(new Walk(2, 2L * ConntrackClient.WALK_ATTEMPTS, false));
            assertThat(reading.received()).hasSize(ConntrackClient.WALK_ATTEMPTS);
        }
    }

    @Test
    void deletesNameTheFlowAndAskForOneAnswer() throws Exception {
        ScriptedKernel changing = refusing();
        try (ConntrackClient client = client(listing(0), changing)) {
            client.delete(List.of(flow(1), flow(2), flow(3)));
            List<NlMessage> sent = changing.received().getFirst();
            assertThat(sent).extracting(NlMessage::type).containsOnly(ConntrackMessages.DELETE);
            assertThat(sent)
                    .extracting(NlMessage::flags)
                    .containsExactly(NlFlags.REQUEST, NlFlags.REQUEST, NlFlags.REQUEST | NlFlags.ACK);
        }
    }
}
