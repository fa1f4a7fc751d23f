package io.dualstackd.dataplane.io;

import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.wire.NlWriter;

/** Passes everything through and counts changes of rules: batches, their messages and their bytes. */
final class CountingTransport extends ForwardingTransport {
    /** {@code NFNL_MSG_BATCH_BEGIN}, the type of a batch's first message. */
    private static final int BATCH_BEGIN = 0x10;

    private Counts counts = Counts.NOTHING;
    private Runnable beforeBatch = () -> {};
    private EachBatch eachBatch = bytes -> {};

    /** @param messages begin and end included */
    record Counts(int batches, int messages, long bytes) {
        static final Counts NOTHING = new Counts(0, 0, 0);
    }

    CountingTransport(NlTransport transport) {
        super(transport);
    }

    /** Does something before a batch is sent. */
    @FunctionalInterface
    interface EachBatch {
        void begins(int bytes) throws NetlinkException;
    }

    /** What was sent since the last call. */
    Counts take() {
        Counts taken = counts;
        counts = Counts.NOTHING;
        return taken;
    }

    /** Lets something happen between the comparison and its result. */
    void beforeFirstBatch(Runnable happens) {
        beforeBatch = happens;
    }

    void beforeEachBatch(EachBatch happens) {
        eachBatch = happens;
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        if (writer.message(0).type() == BATCH_BEGIN) {
            Runnable happens = beforeBatch;
            beforeBatch = () -> {};
            happens.run();
            eachBatch.begins(writer.length());
            int messages = 0;
            for (int at = 0; at < writer.length(); at += writer.messageLength(at)) {
                messages++;
            }
            counts = new Counts(counts.batches + 1, counts.messages + messages, counts.bytes + writer.length());
        }
        super.send(writer);
    }
}
