package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Passes everything on to another transport and injects faults. Used by one thread. */
public final class FaultyTransport implements NlTransport {
    private final NlTransport inner;
    private final Supplier<Optional<Fault>> faults;
    private final Deque<Arrival> ownAnswers = new ArrayDeque<>();

    /** @param faults asked before every send and every receive; those that do not fit the occasion are without effect */
    public FaultyTransport(NlTransport inner, Supplier<Optional<Fault>> faults) {
        this.inner = inner;
        this.faults = faults;
    }

    /** Picks one of {@code choice} in {@code percent} of all calls; the same {@code seed} gives the same faults again. */
    public static FaultyTransport random(NlTransport inner, long seed, int percent, List<Fault> choice) {
        Random random = new Random(seed);
        return new FaultyTransport(
                inner,
                () -> random.nextInt(100) < percent
                        ? Optional.of(choice.get(random.nextInt(choice.size())))
                        : Optional.empty());
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        if (faults.get().orElse(null) instanceof Fault.Refusing refusing) {
            NlMessage first = Answers.split(writer.toByteArray()).messages().getFirst();
            ownAnswers.addLast(Answers.refusal(first.sequence(), refusing.errno()));
        } else {
            inner.send(writer);
        }
    }

    @Override
    public Arrival receive(Duration timeout) throws NetlinkException {
        if (!ownAnswers.isEmpty()) {
            return ownAnswers.removeFirst();
        }
        Optional<Fault> fault = faults.get();
        if (fault.isPresent() && fault.get() instanceof Fault.Failing failing) {
            throw new NetlinkException.Failed(
                    "receive", new SysException("receive from faulty transport", failing.errno()));
        }
        Arrival arrival = inner.receive(timeout);
        if (fault.isPresent() && arrival instanceof Arrival.Messages arrived) {
            return spoil(fault.get(), arrived);
        }
        return arrival;
    }

    private static Arrival spoil(Fault fault, Arrival.Messages arrived) throws NetlinkException {
        return switch (fault) {
            case Fault.Overrun ignored -> new Arrival.Overrun();
            case Fault.Silence ignored -> new Arrival.Silence();
            case Fault.CutOff ignored -> cutOff(arrived);
            case Fault.Interrupted ignored -> interrupted(arrived);
            case Fault.Failing ignored -> arrived;
            case Fault.Refusing ignored -> arrived;
        };
    }

    private static Arrival cutOff(Arrival.Messages arrived) throws NetlinkException {
        NlWriter writer = new NlWriter();
        arrived.messages().forEach(message -> writer.bytes(message.toBytes()));
        byte[] bytes = writer.toByteArray();
        try {
            return new Arrival.Messages(NlMessage.split(bytes, bytes.length - 1));
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed("receive", e);
        }
    }

    private static Arrival interrupted(Arrival.Messages arrived) {
        NlWriter writer = new NlWriter();
        for (NlMessage message : arrived.messages()) {
            int mark = writer.length();
            writer.bytes(message.toBytes());
            writer.addMessageFlags(mark, NlFlags.DUMP_INTERRUPTED);
            writer.zeros(-writer.length() & 3);
        }
        return Answers.split(writer.toByteArray());
    }

    @Override
    public void listen(int group, MessageFilter wanted, int receiveBuffer) throws NetlinkException {
        inner.listen(group, wanted, receiveBuffer);
    }

    @Override
    public int portId() {
        return inner.portId();
    }

    @Override
    public void close() {
        inner.close();
    }
}
