package io.dualstackd.bench.scale;

import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A transport that passes everything through and, after {@link #record}, keeps the batches, to be replayed. */
final class Recorder extends ForwardingTransport {
    /** {@code NFNL_MSG_BATCH_BEGIN}, the type of a batch's first message. */
    private static final int BATCH_BEGIN = 0x10;
    /** Bytes of that message without attributes. */
    private static final int BARE_BEGIN = 20;

    private final List<byte[]> batches = new ArrayList<>();
    private boolean recording;

    Recorder(NlTransport transport) {
        super(transport);
    }

    /** Starts keeping batches; before this nothing is copied, so a first load takes no additional memory. */
    void record() {
        recording = true;
    }

    /** The batches sent since the last call. */
    List<byte[]> take() {
        List<byte[]> taken = List.copyOf(batches);
        batches.clear();
        return taken;
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        if (recording && writer.message(0).type() == BATCH_BEGIN) {
            byte[] batch =
                    withoutGeneration(writer.toByteArray(), writer.message(0).length());
            if (!batches.isEmpty() && batches.getLast().length == batch.length) {
                // The other family's transaction was first, the kernel refused this one, and the same batch is sent
                // again under new numbers.
                batches.removeLast();
            }
            batches.add(batch);
        }
        super.send(writer);
    }

    /** Removes the generation of the rule set that a batch may name; a twin of two families may have another one. */
    private static byte[] withoutGeneration(byte[] batch, int beginLength) {
        byte[] bare = new byte[batch.length - beginLength + BARE_BEGIN];
        System.arraycopy(batch, 0, bare, 0, BARE_BEGIN);
        System.arraycopy(batch, beginLength, bare, BARE_BEGIN, batch.length - beginLength);
        ByteBuffer.wrap(bare).order(ByteOrder.nativeOrder()).putInt(0, BARE_BEGIN);
        return bare;
    }
}
