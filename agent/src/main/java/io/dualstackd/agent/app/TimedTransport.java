package io.dualstackd.agent.app;

import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.supervision.sys.Platform;
import java.util.function.LongConsumer;

/**
 * Measures how long the kernel works on transactions. The kernel does all of that work while the datagram is sent, so there is nothing to
 * wait for. A datagram with more than one message counts as a transaction.
 */
final class TimedTransport extends ForwardingTransport {
    /** Messages are aligned to this many bytes. */
    private static final int ALIGNMENT = 4;

    private final Platform platform;
    private final LongConsumer took;

    /** @param took receives nanoseconds, on the thread that sends */
    TimedTransport(NlTransport transport, Platform platform, LongConsumer took) {
        super(transport);
        this.platform = platform;
        this.took = took;
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        int first = writer.messageLength(0);
        if (writer.length() - first < ALIGNMENT) {
            super.send(writer);
            return;
        }
        long began = platform.nanoTime();
        try {
            super.send(writer);
        } finally {
            took.accept(platform.nanoTime() - began);
        }
    }
}
