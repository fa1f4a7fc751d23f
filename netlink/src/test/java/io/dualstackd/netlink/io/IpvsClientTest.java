package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.generic.GenericFamily;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IpvsClientTest {
    private static final GenericFamily FAMILY = new GenericFamily("IPVS", 28, 1);
    private static final IpvsKey SERVER = new IpvsKey.At(Ip.parse("10.96.0.1"), Proto.TCP, 80);

    /** Many changes are few datagrams, and a refused one is identified by its position, the first and the last included. */
    @Test
    void refusalsKeepTheirPlaces() throws Exception {
        Set<Integer> bad = Set.of(0, 5, 255, 256, 599);
        int[] seen = {0};
        ScriptedKernel kernel = new ScriptedKernel(sent -> {
            List<Arrival> answers = new ArrayList<>();
            for (NlMessage message : sent) {
                boolean asked = (message.flags() & NlFlags.ACK) != 0;
                if (bad.contains(seen[0]++)) {
                    answers.add(Answers.refusal(message.sequence(), Errno.EEXIST));
                } else if (asked) {
                    answers.add(Answers.ack(message.sequence()));
                }
            }
            return answers;
        });
        List<IpvsChange> changes = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            changes.add(new IpvsChange.AddDestination(
                    SERVER, IpvsDestination.of(new IpPort(Ip.parse("10.0.0.1"), 1 + i), 1)));
        }
        try (IpvsClient client = new IpvsClient(new NetlinkConnection(kernel), FAMILY)) {
            assertThat(client.apply(changes))
                    .extracting(IpvsClient.Refused::index)
                    .containsExactlyInAnyOrderElementsOf(bad);
            assertThat(client.bytes()).isGreaterThan(600 * 100);
        }
        assertThat(kernel.received()).hasSize(3);
        assertThat(kernel.received().getFirst()).allMatch(message -> message.type() == FAMILY.id());
    }

    /** A refusal that did not fit into the receive buffer would be taken for a change that was made. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lostAnswersAreNoAnswers(boolean lastFits) throws Exception {
        ScriptedKernel kernel = new ScriptedKernel(sent -> {
            List<Arrival> answers = new ArrayList<>();
            answers.add(new Arrival.Overrun());
            answers.add(Answers.refusal(sent.getFirst().sequence(), Errno.EEXIST));
            if (lastFits) {
                answers.add(Answers.ack(sent.getLast().sequence()));
            }
            return answers;
        });
        List<IpvsChange> changes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            changes.add(new IpvsChange.DeleteDestination(SERVER, new IpPort(Ip.parse("10.0.0.1"), 1 + i)));
        }
        try (IpvsClient client = new IpvsClient(new NetlinkConnection(kernel), FAMILY)) {
            assertThatThrownBy(() -> client.apply(changes)).isInstanceOf(NetlinkException.AnswerLost.class);
        }
    }

    @Test
    void noFamilyIsNoClient() throws Exception {
        ScriptedKernel kernel = new ScriptedKernel(
                sent -> List.of(Answers.refusal(sent.getFirst().sequence(), Errno.ENOENT)));
        assertThat(IpvsClient.open(new NetlinkConnection(kernel))).isEmpty();
    }
}
