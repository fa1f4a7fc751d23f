package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.NetNs;

/** Opens netlink sockets: of a network namespace, or of a simulated kernel. */
@FunctionalInterface
public interface NetlinkSockets {
    /** The sockets of a namespace. */
    static NetlinkSockets of(NetNs ns) {
        return (protocol, receiveBuffer) -> NlSocket.open(protocol, ns, receiveBuffer);
    }

    /**
     * Opens a socket.
     *
     * @param receiveBuffer bytes of notifications the kernel may queue; it may grant less
     */
    NlTransport open(NlProtocol protocol, int receiveBuffer) throws NetlinkException;

    /** Opens a socket with the usual receive buffer. */
    default NlTransport open(NlProtocol protocol) throws NetlinkException {
        return open(protocol, NlSocket.RECEIVE_BUFFER);
    }
}
