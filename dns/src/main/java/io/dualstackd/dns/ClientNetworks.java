package io.dualstackd.dns;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The clients that are answered.
 *
 * @param addresses single addresses
 * @param networks all addresses in these networks
 */
public record ClientNetworks(Set<Ip> addresses, List<IpPrefix> networks) {
    /** Every client. */
    public static final ClientNetworks ALL =
            new ClientNetworks(Set.of(), List.of(IpPrefix.parse("0.0.0.0/0"), IpPrefix.parse("::/0")));

    public ClientNetworks {
        // Not Set.copyOf: an immutable set is slow where most lookups fail.
        addresses = new HashSet<>(addresses);
        networks = List.copyOf(networks);
    }

    public boolean contains(Ip client) {
        for (int i = 0; i < networks.size(); i++) {
            if (networks.get(i).contains(client)) {
                return true;
            }
        }
        return addresses.contains(client);
    }
}
