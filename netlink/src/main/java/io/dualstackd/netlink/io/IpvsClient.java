package io.dualstackd.netlink.io;

import io.dualstackd.netlink.generic.GenericFamily;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsCodec;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.ipvs.IpvsTimeouts;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists and changes the virtual servers of one network namespace, as {@code ipvsadm} does. For one thread at a time. */
public final class IpvsClient implements AutoCloseable {
    /** How many changes go into one datagram: it stays below the size that needs a buffer of its own. */
    static final int CHUNK = 256;

    private final NetlinkConnection kernel;
    private final int type;
    private final NlWriter writer = new NlWriter();
    private long bytes;

    /** @param family {@code IPVS}, with the id of the kernel of the connection */
    public IpvsClient(NetlinkConnection kernel, GenericFamily family) {
        this.kernel = kernel;
        this.type = family.id();
    }

    /** For a given namespace; empty when the kernel has no IPVS, and no loadable module for it. */
    public static Optional<IpvsClient> open(NetNs ns) throws NetlinkException {
        return open(new NetlinkConnection(NlSocket.open(NlProtocol.GENERIC, ns)));
    }

    /** As {@link #open(NetNs)}; the connection is closed when there is no IPVS. */
    public static Optional<IpvsClient> open(NetlinkConnection netlinkConnection) throws NetlinkException {
        Optional<GenericFamily> family = Optional.empty();
        try {
            family = new GenericClient(netlinkConnection).family(IpvsCodec.FAMILY);
        } finally {
            if (family.isEmpty()) {
                netlinkConnection.close();
            }
        }
        return family.map(found -> new IpvsClient(netlinkConnection, found));
    }

    /** Sets the timeouts; zeros change nothing. */
    public void set(IpvsTimeouts timeouts) throws NetlinkException {
        kernel.request(new Request("set IPVS timeouts", type, 0, to -> IpvsCodec.writeTimeouts(to, timeouts)));
    }

    /** All virtual servers, of both families. */
    public List<IpvsService.Listed> services() throws NetlinkException {
        return kernel.dump(
                new Request("list virtual servers", type, 0, IpvsCodec::writeListServices),
                message -> IpvsCodec.readService(message.body("IPVS_CMD_NEW_SERVICE")));
    }

    /** The destinations of one virtual server; none when there is no such server. */
    public List<IpvsDestination.Listed> destinations(IpvsKey server) throws NetlinkException {
        IpFamily family = server.family();
        return kernel.dump(
                new Request(
                        "list destinations of " + server, type, 0, to -> IpvsCodec.writeListDestinations(to, server)),
                message -> IpvsCodec.readDestination(message.body("IPVS_CMD_NEW_DEST"), family));
    }

    /**
     * A change that was not made.
     *
     * @param index of the change in the list
     */
    public record Refused(int index, Refusal refusal) {}

    /** Whether a refusal with this error says that the kernel already holds what the change would leave: nothing to remove or to drain. */
    public static boolean isDone(IpvsChange change, Errno refused) {
        return switch (change) {
            case IpvsChange.DeleteService ignored -> refused.equals(Errno.ESRCH);
            case IpvsChange.DeleteDestination ignored -> refused.equals(Errno.ENOENT);
            case IpvsChange.SetDestination(IpvsKey ignored, IpvsDestination destination) ->
                destination.weight() == 0 && refused.equals(Errno.ENOENT);
            // What exists may have other settings.
            case IpvsChange.AddService ignored -> false;
            case IpvsChange.SetService ignored -> false;
            case IpvsChange.AddDestination ignored -> false;
        };
    }

    /**
     * Makes changes in their order, each on its own: those after a refused one are still made.
     *
     * @return those that were refused
     */
    public List<Refused> apply(List<IpvsChange> changes) throws NetlinkException {
        List<Refused> refused = new ArrayList<>();
        bytes = 0;
        for (int from = 0; from < changes.size(); from += CHUNK) {
            send(from, changes.subList(from, Math.min(from + CHUNK, changes.size())), refused);
        }
        return refused;
    }

    /** The number of bytes sent by the last {@link #apply}. */
    public long bytes() {
        return bytes;
    }

    private void send(int offset, List<IpvsChange> changes, List<Refused> refused) throws NetlinkException {
        List<Request> requests = changes.stream()
                .map(change -> new Request("", type, 0, to -> IpvsCodec.write(to, change)))
                .toList();
        kernel.independent("change " + changes.size() + " times", writer, requests)
                .forEach((index, refusal) -> refused.add(new Refused(offset + index, refusal)));
        bytes += writer.length();
    }

    @Override
    public void close() {
        kernel.close();
    }
}
