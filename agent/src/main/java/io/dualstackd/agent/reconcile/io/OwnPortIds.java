package io.dualstackd.agent.reconcile.io;

import io.dualstackd.netlink.io.ForwardingTransport;
import io.dualstackd.netlink.io.NlTransport;
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
        return new Own(transport);
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

    private final class Own extends ForwardingTransport {
        Own(NlTransport transport) {
            super(transport);
        }

        @Override
        public void close() {
            int closing = portId();
            super.close();
            remove(closing);
        }
    }
}
