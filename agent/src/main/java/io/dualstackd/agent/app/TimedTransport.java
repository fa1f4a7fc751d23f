package io.dualstackd.agent.app;

import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.MessageFilter;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Measures how long the kernel works on transactions. The kernel does all of that work while the datagram is sent, so there is nothing to
 * wait for. A datagram with more than one message counts as a transaction.
 */
final class TimedTransport implements NlTransport {
    /** Messages are aligned to this many bytes. */
    private static final int ALIGNMENT = 4;

    private final NlTransport transport;
    private final Platform platform;
    private final LongConsumer took;

    /** @param took receives nanoseconds, on the thread that sends */
    TimedTransport(NlTransport transport, Platform platform, LongConsumer took) {
        this.platform = platform;
        this.transport = transport;
        this.took = took;
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        int first = writer.messageLength(0);
        if (writer.length() - first < ALIGNMENT) {
            transport.send(writer);
            return;
        }
        long began = platform.nanoTime();
        try {
            transport.send(writer);
        } finally {
            took.accept(platform.nanoTime() - began);
        }
    }

    @Override
    public Arrival receive(Duration timeout) throws NetlinkException {
        return transport.receive(timeout);
    }

    @Override
    public void listen(int group, MessageFilter wanted, int receiveBuffer) throws NetlinkException {
        transport.listen(group, wanted, receiveBuffer);
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
