package io.dualstackd.dns.io;

import io.dualstackd.dns.ClientNetworks;
import io.dualstackd.netlink.ip.Ip;
import java.net.InetAddress;

/** The clients that are answered, as they are now. Used by the thread {@code dns}. */
final class AdmittedClients {
    private ClientNetworks networks = ClientNetworks.ALL;

    void replace(ClientNetworks others) {
        networks = others;
    }

    boolean contains(InetAddress client) {
        return networks.contains(Ip.ofBytes(client.getAddress()));
    }
}
