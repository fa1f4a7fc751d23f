package io.dualstackd.bench;

import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Passes everything through and keeps the batches, to be replayed. */
final class Recorder implements NlTransport {
    /** {@code NFNL_MSG_BATCH_BEGIN}, the type of a batch's first message. */
    private static final int BATCH_BEGIN = 0x10;

    private final NlTransport transport;
    private final List<byte[]> batches = new ArrayList<>();

    Recorder(NlTransport transport) {
        this.transport = transport;
    }

    /** The batches sent since the last call. */
    List<byte[]> take() {
        List<byte[]> taken = List.copyOf(batches);
        batches.clear();
        return taken;
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        if (writer.message(0).type() == BATCH_BEGIN) {
            batches.add(writer.toByteArray());
        }
        transport.send(writer);
    }

    @Override
    public Arrival receive(Duration timeout) throws NetlinkException {
        return transport.receive(timeout);
    }

    @Override
    public int portId() {
        return transport.portId();
    }

    @Override
    public void close() {
        transport.close();
    }
}
