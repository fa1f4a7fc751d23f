package io.dualstackd.dataplane.counters.io;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftClient;
import java.util.Optional;

/** Lists objects with their counters while others may change them: what is missed then keeps its last value. */
@FunctionalInterface
interface CounterDump {
    /** Reads, with a client that nothing disturbs. */
    void read(NftClient kernel) throws NetlinkException;

    /** Opens a client and reads; returns why that failed. */
    static Optional<String> run(NetlinkSockets sockets, CounterDump dump) {
        NftClient.Bystander undisturbed = new NftClient.Bystander() {
            @Override
            public void read(boolean interrupted) {}

            @Override
            public boolean chainsMoved() {
                return false;
            }
        };
        try (NftClient kernel = NftClient.open(sockets)) {
            return kernel.beside(undisturbed, client -> {
                dump.read(client);
                return Optional.empty();
            });
        } catch (NetlinkException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
