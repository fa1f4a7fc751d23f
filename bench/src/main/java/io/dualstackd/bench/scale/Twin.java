package io.dualstackd.bench.scale;

import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.List;

/** A socket into the namespace where batches are replayed. */
final class Twin implements AutoCloseable {
    private final NlSocket socket;

    Twin(NetNs ns) throws NetlinkException {
        socket = NlSocket.open(NlProtocol.NETFILTER, ns);
    }

    /** Returns the time from the first send to the return of the last; the kernel's work is done then, and answers are read afterwards. */
    Span replay(List<byte[]> batches) throws NetlinkException, DecodeException {
        long start = 0;
        long nanos = 0;
        for (byte[] batch : batches) {
            NlWriter writer = new NlWriter(batch.length);
            writer.bytes(batch, 0, batch.length);
            start = System.nanoTime();
            socket.send(writer);
            nanos += System.nanoTime() - start;
            readAnswers();
        }
        return new Span(start, start + nanos);
    }

    private void readAnswers() throws NetlinkException, DecodeException {
        while (socket.receive(Duration.ZERO) instanceof Arrival.Messages(List<NlMessage> messages)) {
            for (NlMessage message : messages) {
                if (message.type() == NlMessage.ERROR) {
                    int errno = -message.body("NLMSG_ERROR").u32();
                    if (errno != 0) {
                        throw new IllegalStateException("the twin is no twin: replay refused with errno " + errno);
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
