package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;

/** Passes everything to another transport; subclasses observe or change what they override. */
public abstract class ForwardingTransport implements NlTransport {
    private final NlTransport transport;

    protected ForwardingTransport(NlTransport transport) {
        this.transport = transport;
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        transport.send(writer);
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
