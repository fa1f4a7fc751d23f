package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the kernel and waits for the answers. Answers to earlier requests that were aborted are recognised by their sequence
 * numbers and skipped. For one thread at a time.
 */
public final class NetlinkConnection implements AutoCloseable {
    /** The most attempts to read a list that changes meanwhile. */
    public static final int DUMP_ATTEMPTS = 20;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final NlTransport transport;
    private final Duration timeout;
    private final NlWriter writer = new NlWriter();
    private int sequence;

    public NetlinkConnection(NlTransport transport) {
        this(transport, TIMEOUT);
    }

    /** @param timeout how long to wait for each datagram of an answer */
    public NetlinkConnection(NlTransport transport, Duration timeout) {
        this.transport = transport;
        this.timeout = timeout;
    }

    /** Decodes one message of an answer. */
    @FunctionalInterface
    public interface Decoder<T> {
        T decode(NlMessage message) throws DecodeException;
    }

    /** See {@link NlTransport#portId}. */
    public int portId() {
        return transport.portId();
    }

    /**
     * Sends one request and waits until the kernel acknowledges it.
     *
     * @return the messages received before the acknowledgement: the requested object, or echoes
     * @throws NetlinkException.Refused when the kernel refuses the request
     */
    public List<NlMessage> request(Request request) throws NetlinkException {
        int mine = reserveSequences(1);
        writer.clear();
        request.write(writer, NlFlags.ACK, mine);
        transport.send(writer);
        BatchAnswer answer = answer(request.operation(), mine, mine, true);
        if (!answer.accepted()) {
            throw new NetlinkException.Refused(
                    request.operation(), answer.refusals().getFirst());
        }
        return answer.echoes();
    }

    /**
     * Sends a request for one object.
     *
     * @throws NetlinkException.Malformed when the kernel sends none, but only acknowledges the request
     */
    public <T> T get(Request request, Decoder<T> decoder) throws NetlinkException {
        return first(request, decoder)
                .orElseThrow(() -> new NetlinkException.Malformed(
                        request.operation(), new DecodeException("no answer but the acknowledgement")));
    }

    /** Sends a request for one object; empty when the kernel refuses it with {@code absent}. */
    public <T> Optional<T> find(Request request, Errno absent, Decoder<T> decoder) throws NetlinkException {
        try {
            return first(request, decoder);
        } catch (NetlinkException.Refused e) {
            if (e.errno().equals(absent)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private <T> Optional<T> first(Request request, Decoder<T> decoder) throws NetlinkException {
        List<NlMessage> answer = request(request);
        try {
            return answer.isEmpty() ? Optional.empty() : Optional.of(decoder.decode(answer.getFirst()));
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed(request.operation(), e);
        }
    }

    /**
     * Reads a whole list and decodes each message as it is received, so that none needs to be kept. Repeats when it changed meanwhile, so
     * the result is one consistent state.
     *
     * @throws NetlinkException.DumpInterrupted after {@link #DUMP_ATTEMPTS} attempts
     */
    public <T> List<T> dump(Request request, Decoder<T> decoder) throws NetlinkException {
        for (int attempt = 0; attempt < DUMP_ATTEMPTS; attempt++) {
            List<T> decoded = new ArrayList<>();
            if (dumpOnce(request, message -> decoded.add(decoder.decode(message)))) {
                return decoded;
            }
        }
        throw new NetlinkException.DumpInterrupted(request.operation(), DUMP_ATTEMPTS);
    }

    /**
     * Reads a whole list, as {@link #dump}, into a visitor that receives its messages one by one.
     *
     * @param fresh creates an empty visitor for each attempt
     * @return the visitor that received a whole list
     */
    public <T extends Visitor> T dumpInto(Supplier<T> fresh, Request request) throws NetlinkException {
        for (int attempt = 0; attempt < DUMP_ATTEMPTS; attempt++) {
            T visitor = fresh.get();
            if (dumpOnce(request, visitor)) {
                return visitor;
            }
        }
        throw new NetlinkException.DumpInterrupted(request.operation(), DUMP_ATTEMPTS);
    }

    /**
     * Reads a list into a visitor that receives its messages one by one, and repeats that only if a part of the list was lost in the
     * receive buffer: a list that the kernel reports as interrupted may be complete, when none of its own objects was changed.
     *
     * @param fresh creates an empty visitor for each attempt
     */
    public <T extends Visitor> Listing<T> dumpOnce(Supplier<T> fresh, Request request) throws NetlinkException {
        for (int attempt = 0; attempt < DUMP_ATTEMPTS; attempt++) {
            T visitor = fresh.get();
            Ending ending = dumpToItsEnd(request, visitor);
            if (ending != Ending.LOST) {
                return new Listing<>(visitor, ending == Ending.INTERRUPTED);
            }
        }
        throw new NetlinkException.DumpInterrupted(request.operation(), DUMP_ATTEMPTS);
    }

    /**
     * A list that was read once.
     *
     * @param interrupted something that this kind of list may contain was changed meanwhile
     */
    public record Listing<T>(T value, boolean interrupted) {}

    private enum Ending {
        WHOLE,
        /** As reported by the kernel: something was changed meanwhile. */
        INTERRUPTED,
        /** A part did not fit into the receive buffer. */
        LOST
    }

    /** Receives one message of a list, which is not kept. */
    @FunctionalInterface
    public interface Visitor {
        void visit(NlMessage message) throws DecodeException;
    }

    /**
     * Reads a list once and keeps none of it. Always reads to the end, even if a message is malformed or the visitor fails: the kernel
     * allows one dump at a time per socket.
     *
     * @return false when it changed meanwhile in a way that may have hidden some of it
     */
    public boolean dumpOnce(Request request, Visitor visitor) throws NetlinkException {
        return dumpToItsEnd(request, visitor) == Ending.WHOLE;
    }

    private Ending dumpToItsEnd(Request request, Visitor visitor) throws NetlinkException {
        int mine = reserveSequences(1);
        writer.clear();
        request.write(writer, NlFlags.DUMP, mine);
        transport.send(writer);
        Ending ending = Ending.WHOLE;
        DecodeException nonsense = null;
        RuntimeException failure = null;
        while (true) {
            List<NlMessage> messages = switch (transport.receive(timeout)) {
                case Arrival.Messages arrived -> arrived.messages();
                case Arrival.Overrun ignored -> {
                    ending = Ending.LOST;
                    yield List.of();
                }
                case Arrival.Silence ignored -> throw new NetlinkException.NoAnswer(request.operation(), timeout);
            };
            for (NlMessage message : messages) {
                if (message.sequence() != mine) {
                    continue;
                }
                if (ending == Ending.WHOLE && (message.flags() & NlFlags.DUMP_INTERRUPTED) != 0) {
                    ending = Ending.INTERRUPTED;
                }
                switch (message.type()) {
                    case NlMessage.ERROR, NlMessage.DONE -> {
                        if (failure != null) {
                            throw failure;
                        }
                        return ended(request.operation(), message, ending, nonsense);
                    }
                    default -> {
                        try {
                            if (failure == null) {
                                visitor.visit(message);
                            }
                        } catch (DecodeException e) {
                            nonsense = nonsense == null ? e : nonsense;
                        } catch (RuntimeException e) {
                            failure = e;
                        }
                    }
                }
            }
        }
    }

    private static Ending ended(String operation, NlMessage last, Ending ending, @Nullable DecodeException nonsense)
            throws NetlinkException {
        Optional<Refusal> refusal = refusal(operation, last);
        if (refusal.isPresent()) {
            throw new NetlinkException.Refused(operation, refusal.get());
        }
        if (nonsense != null && ending == Ending.WHOLE) {
            throw new NetlinkException.Malformed(operation, nonsense);
        }
        return nonsense != null ? Ending.LOST : ending;
    }

    /**
     * Reserves sequence numbers for messages that the caller writes itself.
     *
     * @return the first of {@code count} consecutive ones; they wrap around like any int, but are never 0, the sequence number of
     *     notifications without a request
     */
    public int reserveSequences(int count) {
        int first = sequence + 1;
        if (first <= 0 || first + count <= 0) {
            first = 1;
        }
        sequence = first + count - 1;
        return first;
    }

    /**
     * Sends an nfnetlink batch and collects the kernel's answers. The batch is all or nothing.
     *
     * @param batch messages with the sequence numbers {@code first}, of the batch's begin message, to {@code last}, of the last message
     *     before the batch's end; that one carries {@link NlFlags#ACK}, so that its answer ends the wait
     */
    public BatchAnswer batch(String operation, NlWriter batch, int first, int last) throws NetlinkException {
        transport.send(batch);
        return answer(operation, first, last, true);
    }

    /**
     * Sends one datagram of requests that do not depend on each other, and waits for the answer to the last.
     *
     * @param datagram where they are written
     * @return the refusals by the index of their request
     */
    Map<Integer, Refusal> independent(String operation, NlWriter datagram, List<Request> requests)
            throws NetlinkException {
        // The number before the first one is left out: a refusal of the first number is taken for one of the whole
        // batch.
        int first = reserveSequences(requests.size() + 1);
        int last = first + requests.size();
        datagram.clear();
        int sequence = first;
        for (Request request : requests) {
            request.write(datagram, ++sequence == last ? NlFlags.ACK : 0, sequence);
        }
        Map<Integer, Refusal> refused = new LinkedHashMap<>();
        transport.send(datagram);
        answer(operation, first, last, false)
                .refusals()
                .forEach(refusal -> refused.put(refusal.sequence() - first - 1, refusal));
        return refused;
    }

    /**
     * Collects all answers of the kernel to the messages {@code first} to {@code last}, until the last one is answered.
     *
     * @param allOrNothing whether one refusal says that none of them was carried out
     * @throws NetlinkException.AnswerLost when too few of them fitted into the receive buffer to know what was carried out
     */
    private BatchAnswer answer(String operation, int first, int last, boolean allOrNothing) throws NetlinkException {
        List<Refusal> refusals = new ArrayList<>();
        List<NlMessage> echoes = new ArrayList<>();
        boolean overrun = false;
        while (true) {
            // The kernel reports an overrun before it returns the answers that still fitted into the receive buffer;
            // no others follow, because all were queued when send returned.
            switch (transport.receive(overrun ? Duration.ZERO : timeout)) {
                case Arrival.Messages(List<NlMessage> messages) -> {
                    for (NlMessage message : messages) {
                        if (message.sequence() < first || message.sequence() > last + 1) {
                            continue;
                        }
                        if (message.type() != NlMessage.ERROR) {
                            echoes.add(message);
                            continue;
                        }
                        Optional<Refusal> refusal = refusal(operation, message);
                        if (allOrNothing
                                && refusal.filter(NetlinkConnection::isOfTheWhole)
                                        .isPresent()) {
                            return new BatchAnswer(List.of(refusal.get()), echoes);
                        }
                        if (message.sequence() > last) {
                            continue;
                        }
                        refusal.ifPresent(refusals::add);
                        // The kernel checks all messages of a batch even after an error, so the answer to the last
                        // one ends the list. A refusal of the first one concerns the batch, and there may be no other
                        // answer.
                        if (message.sequence() == last || (message.sequence() == first && refusal.isPresent())) {
                            if (overrun && !allOrNothing) {
                                throw new NetlinkException.AnswerLost(operation);
                            }
                            return new BatchAnswer(refusals, echoes);
                        }
                    }
                }
                case Arrival.Overrun ignored -> overrun = true;
                case Arrival.Silence ignored -> {
                    if (!overrun) {
                        throw new NetlinkException.NoAnswer(operation, timeout);
                    }
                    // Of a batch, the refusals that fitted are enough to determine the result.
                    if (refusals.isEmpty() || !allOrNothing) {
                        throw new NetlinkException.AnswerLost(operation);
                    }
                    return new BatchAnswer(refusals, echoes);
                }
            }
        }
    }

    /**
     * Whether it is the only answer, whatever message it names.
     *
     * <ul>
     *   <li>{@code ERESTART}: another program has changed the rule set. While the kernel loads a module that a message needs, other
     *       transactions may be committed; it then starts the batch again, and names the message that it had reached, even the end.
     *   <li>{@code ENOMEM}: the kernel had no memory for a message. It forgets all other answers, and names the first message behind the
     *       beginning.
     * </ul>
     */
    private static boolean isOfTheWhole(Refusal refusal) {
        return refusal.errno().equals(Errno.ERESTART) || refusal.errno().equals(Errno.ENOMEM);
    }

    private static Optional<Refusal> refusal(String operation, NlMessage message) throws NetlinkException {
        try {
            return message.type() == NlMessage.DONE ? Refusal.ofDone(message) : Refusal.ofError(message);
        } catch (DecodeException e) {
            throw new NetlinkException.Malformed(operation, e);
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
