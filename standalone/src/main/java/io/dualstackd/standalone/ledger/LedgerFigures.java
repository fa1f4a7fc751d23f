package io.dualstackd.standalone.ledger;

import io.dualstackd.standalone.allocation.AddressPool;
import java.util.List;
import java.util.Map;

/**
 * How much a ledger has given, and how much is left.
 *
 * @param networks each with its addresses in use and free
 * @param usedPorts node ports in use
 * @param freePorts node ports that are free
 * @param addresses how often an address was asked for since the start
 * @param ports how often a node port was asked for since the start
 */
public record LedgerFigures(
        List<AddressPool.Fill> networks,
        int usedPorts,
        int freePorts,
        Map<Asked, Long> addresses,
        Map<Asked, Long> ports) {
    public LedgerFigures {
        networks = List.copyOf(networks);
        addresses = Map.copyOf(addresses);
        ports = Map.copyOf(ports);
    }

    /**
     * A kind of question.
     *
     * @param of the network; empty for ports, and where no network has the address
     * @param named whether a certain number was asked for
     * @param given whether it was had
     */
    public record Asked(String of, boolean named, boolean given) {}
}
