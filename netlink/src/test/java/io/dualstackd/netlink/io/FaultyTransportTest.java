package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.NlMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every kind of fault, and how a connection handles it. */
class FaultyTransportTest {
    private static final Request LIST = new Request("list", 40, 0, w -> w.u32(1));

    @Test
    void interruptionLeadsToASecondReading() throws NetlinkException {
        ScriptedKernel kernel = kernel();
        assertThat(facing(kernel, 1, new Fault.Interrupted()).dump(LIST, message -> message))
                .hasSize(1);
        assertThat(kernel.received()).hasSize(2);
    }

    @Test
    void overrunLeadsToASecondReading() throws NetlinkException {
        ScriptedKernel kernel = kernel();
        assertThat(facing(kernel, 1, new Fault.Overrun()).dump(LIST, message -> message))
                .hasSize(1);
        assertThat(kernel.received()).hasSize(2);
    }

    @Test
    void everythingElseHasItsException() {
        assertThatThrownBy(() -> facing(kernel(), 1, new Fault.CutOff()).dump(LIST, message -> message))
                .isInstanceOf(NetlinkException.Malformed.class);
        assertThatThrownBy(() -> facing(kernel(), 1, new Fault.Silence()).dump(LIST, message -> message))
                .isInstanceOf(NetlinkException.NoAnswer.class);
        assertThatThrownBy(() ->
                        facing(kernel(), 1, new Fault.Failing(Errno.EINTR)).dump(LIST, message -> message))
                .isInstanceOf(NetlinkException.Failed.class)
                .hasMessageContaining("EINTR");
        assertThatThrownBy(() ->
                        facing(kernel(), 0, new Fault.Refusing(Errno.EPERM)).dump(LIST, message -> message))
                .isInstanceOf(NetlinkException.Refused.class)
                .hasMessage("list: EPERM (1) Operation not permitted");
    }

    @Test
    void sameSeedInjectsSameFaults() throws NetlinkException {
        assertThat(receivedWith(7)).isEqualTo(receivedWith(7)).contains("Overrun", "Messages");
    }

    private static List<String> receivedWith(long seed) throws NetlinkException {
        ScriptedKernel kernel = kernel();
        FaultyTransport transport = FaultyTransport.random(kernel, seed, 50, List.of(new Fault.Overrun()));
        List<String> received = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            kernel.say(Answers.ack(i));
            received.add(transport.receive(Duration.ZERO).getClass().getSimpleName());
        }
        return received;
    }

    private static ScriptedKernel kernel() {
        return new ScriptedKernel(sent -> {
            NlMessage first = sent.getFirst();
            return List.of(
                    Answers.data(77, NlFlags.MULTI, first.sequence(), w -> w.u32(1)), Answers.done(first.sequence()));
        });
    }

    /** One fault after {@code calm} calls without. */
    private static NetlinkConnection facing(NlTransport kernel, int calm, Fault fault) {
        Deque<Optional<Fault>> left = new ArrayDeque<>(Collections.nCopies(calm, Optional.empty()));
        left.add(Optional.of(fault));
        return new NetlinkConnection(
                new FaultyTransport(kernel, () -> left.isEmpty() ? Optional.empty() : left.removeFirst()));
    }
}
