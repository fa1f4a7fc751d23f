package io.dualstackd.agent.reconcile.io;

import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.MessageFilter;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The port ids of the sockets with which this daemon changes rules. They distinguish its own changes from those of other programs. */
final class OwnPortIds {
    private final Runnable changed;
    private volatile List<Integer> portIds = List.of();

    /** @param changed called whenever the port ids changed, on the thread that opens or closes a socket */
    OwnPortIds(Runnable changed) {
        this.changed = changed;
    }

    List<Integer> portIds() {
        return portIds;
    }

    boolean contains(int portId) {
        List<Integer> known = portIds;
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i) == portId) {
                return true;
            }
        }
        return false;
    }

    /** Adds the port id of a transport; to be called before anything is sent through it. */
    NlTransport add(NlTransport transport) {
        add(transport.portId());
        return new Own(transport, transport.portId());
    }

    private synchronized void add(int portId) {
        List<Integer> more = new ArrayList<>(portIds);
        more.add(portId);
        set(more);
    }

    private void set(List<Integer> now) {
        portIds = List.copyOf(now);
        changed.run();
    }

    private synchronized void remove(int portId) {
        List<Integer> fewer = new ArrayList<>(portIds);
        fewer.removeIf(known -> known == portId);
        set(fewer);
    }

    private final class Own implements NlTransport {
        private final NlTransport transport;
        private final int portId;

        Own(NlTransport transport, int portId) {
            this.transport = transport;
            this.portId = portId;
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
            return portId;
        }

        @Override
        public void close() {
            transport.close();
            remove(portId);
        }
    }
}
