package io.dualstackd.standalone.ledger;

import io.dualstackd.standalone.allocation.AddressPool;
import java.util.List;
import java.util.Map;

/**
 * The numbers of addresses and ports that a ledger has allocated, and of those left.
 *
 * @param networks each with its addresses in use and free
 * @param usedPorts node ports in use
 * @param freePorts node ports that are free
 * @param addresses number of address requests since the start
 * @param ports number of node port requests since the start
 */
public record LedgerFigures(
        List<AddressPool.Fill> networks,
        int usedPorts,
        int freePorts,
        Map<AllocationRequest, Long> addresses,
        Map<AllocationRequest, Long> ports) {
    public LedgerFigures {
        networks = List.copyOf(networks);
        addresses = Map.copyOf(addresses);
        ports = Map.copyOf(ports);
    }

    /**
     * A kind of request.
     *
     * @param of the network; empty for ports, and where no network contains the address
     * @param named whether a specific number was requested
     * @param given whether it was allocated
     */
    public record AllocationRequest(String of, boolean named, boolean given) {}
}
