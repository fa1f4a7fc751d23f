package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.BufferSink;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one nf_tables transaction, in order: the kernel applies all of them or none. Keeps the operation of each message, so that
 * a refusal, which names a message by its sequence number, can be described. Not safe for use by several threads.
 */
public final class NftBatch implements AutoCloseable {
    private static final int REQUEST = 0x1;
    private static final int ACK = 0x4;
    private static final int ECHO = 0x8;
    private static final int CREATE = 0x400;
    private static final int APPEND = 0x800;

    private static final int ATTRIBUTE_HEADER = 4;
    private static final int FIRST_ROOM = 1 << 10;
    /** {@code struct nlmsghdr} and {@code struct nfgenmsg}. */
    private static final int END_BYTES = 20;

    private static final Attr.U32be BATCH_GENERATION = new Attr.U32be(1, "NFNL_BATCH_GENID");

    /** A list of elements is closed at this size: the attribute ends at 65,535 bytes, and an element takes less than the rest. */
    private static final int FULL_LIST = 60_000;

    /** Shared, because a first load appends as many as there are rules. */
    private static final BatchStep APPENDED = new BatchStep.Encoded("append");

    private static final BatchStep PREPENDED = new BatchStep.Encoded("prepend");

    private final NlWriter writer;
    private final BufferSink sink;
    private final List<BatchStep> steps = new ArrayList<>();
    private final BitSet echoed = new BitSet();
    private boolean echo;
    private boolean sealed;
    private boolean renewed;
    private int generationAt;
    private int first;
    private int @Nullable [] offsets;

    private NftBatch(int generation, BufferSink sink) {
        this.sink = sink;
        this.writer = new NlWriter(FIRST_ROOM, sink);
        frame(NftMessageType.BATCH_BEGIN, generation);
    }

    /** Starts a batch that is applied whatever changes meanwhile. */
    public static NftBatch begin() {
        return begin(0);
    }

    /** Starts a batch that the kernel refuses with {@code ERESTART} unless {@code generation} is still the current one. */
    public static NftBatch begin(int generation) {
        return new NftBatch(generation, BufferSink.onHeap());
    }

    /**
     * As {@link #begin(int)}, for a batch that may become long.
     *
     * @param generation 0 for a batch that is applied whatever changes
     * @param sink keeps its messages; closed with the batch
     */
    public static NftBatch begin(int generation, BufferSink sink) {
        return new NftBatch(generation, sink);
    }

    /** Frees its memory; then no messages can be sent or described. */
    @Override
    public void close() {
        sink.close();
    }

    private void frame(int type, int generation) {
        int mark = writer.startMessage(type, REQUEST, 0);
        NfHeader.write(writer, NftFamily.ALL, NftMessageType.SUBSYSTEM);
        if (generation != 0) {
            generationAt = writer.length() + ATTRIBUTE_HEADER;
            writer.put(BATCH_GENERATION, generation);
        }
        writer.endMessage(mark);
    }

    /**
     * Allows a batch that was refused as outdated to be sealed and sent again; for callers that have verified that nothing it relies on has
     * changed.
     *
     * @throws IllegalStateException when the batch was not begun with a generation
     */
    public void renew(int generation) {
        if (generationAt == 0) {
            throw new IllegalStateException("the batch was begun without a generation");
        }
        writer.setU32be(generationAt, generation);
        renewed = true;
    }

    /**
     * Discards its messages, which were applied, and starts the next transaction; for a load that is too long for one.
     *
     * @param generation as in {@link #begin(int)}
     */
    public void restart(int generation) {
        writer.clear();
        steps.clear();
        offsets = null;
        echoed.clear();
        sealed = false;
        renewed = false;
        generationAt = 0;
        frame(NftMessageType.BATCH_BEGIN, generation);
    }

    /** From here on, requests the kernel to send back the object that each message creates, with its handle (or not, when false). */
    public NftBatch echo(boolean wanted) {
        echo = wanted;
        return this;
    }

    /** Creates the table unless it exists. */
    public NftBatch add(NftTable table) {
        int mark = start(NftMessageType.NEW_TABLE, CREATE);
        table.writeTo(writer);
        return end(mark, "add", table);
    }

    /** Deletes the table and everything in it. */
    public NftBatch delete(TableName table) {
        int mark = start(NftMessageType.DELETE_TABLE, 0);
        NftTable.writeName(writer, table);
        return end(mark, "delete table", table);
    }

    /** Creates the chain unless it exists. */
    public NftBatch add(NftChain chain) {
        int mark = start(NftMessageType.NEW_CHAIN, CREATE);
        chain.writeTo(writer);
        return end(mark, "add", chain);
    }

    /** Deletes the chain; refused with {@code EBUSY} while something jumps to it. Its rules are deleted with it. */
    public NftBatch delete(ChainName chain) {
        int mark = start(NftMessageType.DELETE_CHAIN, 0);
        NftChain.writeName(writer, chain);
        return end(mark, "delete chain", chain);
    }

    /** Deletes all rules of the chain. */
    public NftBatch flush(ChainName chain) {
        int mark = start(NftMessageType.DELETE_RULE, 0);
        NftRule.writeChain(writer, chain);
        return end(mark, "flush chain", chain);
    }

    /** Adds the rule after all others of its chain. */
    public NftBatch append(NftRule rule) {
        int mark = start(NftMessageType.NEW_RULE, CREATE | APPEND);
        rule.writeTo(writer);
        return end(mark, "append", rule);
    }

    /** Adds the rule before all others of its chain. */
    public NftBatch prepend(NftRule rule) {
        int mark = start(NftMessageType.NEW_RULE, CREATE);
        rule.writeTo(writer);
        return end(mark, "prepend", rule);
    }

    /** Adds an encoded rule after all others of its chain. */
    public NftBatch append(ChainName chain, RuleBody rule) {
        int mark = start(NftMessageType.NEW_RULE, CREATE | APPEND);
        NftRule.writeChain(writer, chain);
        rule.writeTo(writer);
        return end(mark, APPENDED);
    }

    /** Adds an encoded rule before all others of its chain. */
    public NftBatch prepend(ChainName chain, RuleBody rule) {
        int mark = start(NftMessageType.NEW_RULE, CREATE);
        NftRule.writeChain(writer, chain);
        rule.writeTo(writer);
        return end(mark, PREPENDED);
    }

    /** Deletes one rule. */
    public NftBatch deleteRule(ChainName chain, long handle) {
        int mark = start(NftMessageType.DELETE_RULE, 0);
        NftRule.writeChain(writer, chain);
        NftRule.writeHandle(writer, handle);
        return end(mark, "delete rule handle " + handle, chain);
    }

    /** Creates the set or map unless it exists. */
    public NftBatch add(NftSet set) {
        int mark = start(NftMessageType.NEW_SET, CREATE);
        SetCodec.write(writer, set);
        return end(mark, "add", set);
    }

    /** Deletes the set; refused with {@code EBUSY} while a rule uses it. */
    public NftBatch delete(SetName set) {
        int mark = start(NftMessageType.DELETE_SET, 0);
        SetCodec.writeName(writer, set);
        return end(mark, "delete set", set);
    }

    /** Adds elements unless they exist; refused with {@code EEXIST} when one exists with other data. */
    public NftBatch addElements(SetName set, List<NftElement> elements) {
        return elements(NftMessageType.NEW_ELEMENT, CREATE, "add", set, elements);
    }

    /** Deletes elements; refused with {@code ENOENT} when one is missing. Only their keys are used. */
    public NftBatch deleteElements(SetName set, List<NftElement> elements) {
        return elements(NftMessageType.DELETE_ELEMENT, 0, "delete", set, elements);
    }

    private NftBatch elements(int type, int flags, String verb, SetName set, List<NftElement> elements) {
        int next = 0;
        while (next < elements.size()) {
            int from = next;
            int mark = start(type, flags);
            ElementCodec.writeSet(writer, set);
            int list = writer.startNest(ElementCodec.ELEMENTS);
            while (next < elements.size() && writer.length() - list < FULL_LIST) {
                ElementCodec.write(writer, elements.get(next++));
            }
            writer.endNest(list, ElementCodec.ELEMENTS);
            end(mark, new BatchStep.Elements(verb, set, elements, from, next, list - mark));
        }
        return this;
    }

    /** As {@link #addElements}, for elements that are already encoded; removes them from {@code elements}. */
    public NftBatch addElements(SetName set, ElementList elements) {
        return pieces(NftMessageType.NEW_ELEMENT, CREATE, "add", set, elements, true);
    }

    /** As {@link #addElements(SetName, ElementList)}, for lists that are full; the rest stays in {@code elements}. */
    public NftBatch addFull(SetName set, ElementList elements) {
        return pieces(NftMessageType.NEW_ELEMENT, CREATE, "add", set, elements, false);
    }

    /** As {@link #deleteElements}, for elements that are already encoded; removes them from {@code elements}. */
    public NftBatch deleteElements(SetName set, ElementList elements) {
        return pieces(NftMessageType.DELETE_ELEMENT, 0, "delete", set, elements, true);
    }

    private NftBatch pieces(int type, int flags, String verb, SetName set, ElementList elements, boolean all) {
        for (ElementList.Piece piece : elements.take(all)) {
            int mark = start(type, flags);
            ElementCodec.writeSet(writer, set);
            int list = writer.startNest(ElementCodec.ELEMENTS);
            writer.bytes(piece.content, 0, piece.length);
            writer.endNest(list, ElementCodec.ELEMENTS);
            end(mark, new BatchStep.Packed(verb, piece.elements, list - mark));
            elements.written(piece);
        }
        return this;
    }

    private int start(int type, int flags) {
        if (sealed) {
            throw new IllegalStateException("the batch has been sealed");
        }
        return writer.startMessage(type, flags | REQUEST | (echo ? ECHO : 0), 0);
    }

    private NftBatch end(int mark, String verb, Object object) {
        return end(mark, new BatchStep.One(verb, object));
    }

    private NftBatch end(int mark, BatchStep step) {
        writer.endMessage(mark);
        echoed.set(steps.size(), echo);
        steps.add(step);
        return this;
    }

    /** Number of messages, without begin and end. */
    public int messages() {
        return steps.size();
    }

    /** Bytes so far. */
    public int bytes() {
        return writer.length();
    }

    /** Bytes of the datagram that is sent. */
    public int sealedBytes() {
        return writer.length() + (sealed ? 0 : END_BYTES);
    }

    public boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Number of sequence numbers that {@link #seal} uses: one per message, one for begin, one for end. */
    public int sequences() {
        return steps.size() + 2;
    }

    /** The sequence number of the last message before the end; its answer is the last one of the kernel. */
    public int lastSequence() {
        return first + steps.size();
    }

    /**
     * Ends the batch and numbers its messages.
     *
     * @param firstSequence for the begin message; the following {@link #sequences} numbers are used
     * @return the datagram to send
     * @throws IllegalStateException when the batch is empty, or was sealed before and not {@linkplain #renew renewed}
     */
    public NlWriter seal(int firstSequence) {
        if (steps.isEmpty() || (sealed && !renewed)) {
            throw new IllegalStateException(sealed ? "the batch has been sealed" : "the batch is empty");
        }
        if (!sealed) {
            frame(NftMessageType.BATCH_END, 0);
        }
        sealed = true;
        renewed = false;
        first = firstSequence;
        int last = lastSequence();
        int at = 0;
        for (int sequence = firstSequence; sequence <= last + 1; sequence++) {
            writer.setMessageSequence(at, sequence);
            if (sequence == firstSequence + 1) {
                // The kernel reports the new generation to a socket that requests an echo of the first message.
                writer.addMessageFlags(at, ECHO);
            }
            if (sequence == last) {
                writer.addMessageFlags(at, ACK);
            }
            at += writer.messageLength(at);
        }
        return writer;
    }

    /** Whether an echo was requested for the message with that number. */
    public boolean wantsEcho(int sequence) {
        return sequence > first && echoed.get(sequence - first - 1);
    }

    /**
     * Returns what message {@code index} does, from 0, decoded again.
     *
     * @param offset of the error in the message, or 0; of many elements only the one at the offset is returned
     */
    public NftChange step(int index, int offset) {
        int at = offset(index);
        try {
            NftChange change = NftChange.read(writer.message(at));
            int list = steps.get(index).listOffset();
            if (offset <= list || list == 0) {
                return change;
            }
            int element = BatchStep.elementAt(writer, at, list, offset);
            return switch (change) {
                case NftChange.ElementsSet(SetName set, var all)
                when element < all.size() -> new NftChange.ElementsSet(set, List.of(all.get(element)));
                case NftChange.ElementsDeleted(SetName set, var all)
                when element < all.size() -> new NftChange.ElementsDeleted(set, List.of(all.get(element)));
                default -> change;
            };
        } catch (DecodeException e) {
            throw new IllegalStateException("a message of ours does not decode", e);
        }
    }

    /**
     * Describes what the message with that number does, for example {@code add chain ip nat KUBE-SERVICES}.
     *
     * @param sequence as given by {@link #seal}
     * @param offset of the error in the message, or 0; selects one of many elements
     */
    public String describe(int sequence, int offset) {
        int index = sequence - first - 1;
        if (index == -1 || index >= steps.size()) {
            return "transaction of " + steps.size() + " messages";
        }
        if (index < -1) {
            throw new IllegalArgumentException("sequence number " + sequence + " is not in this batch");
        }
        return steps.get(index).describe(writer, offset(index), offset);
    }

    /** Offset of message {@code index}, from 0; all of them are computed once, since the kernel may refuse thousands. */
    private int offset(int index) {
        int[] all = offsets;
        if (all == null || all.length != steps.size()) {
            all = new int[steps.size()];
            int at = 0;
            for (int i = 0; i < all.length; i++) {
                at += writer.messageLength(at);
                all[i] = at;
            }
            offsets = all;
        }
        return all[index];
    }
}
