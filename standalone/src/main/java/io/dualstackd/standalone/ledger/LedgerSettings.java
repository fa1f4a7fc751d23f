package io.dualstackd.standalone.ledger;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.util.List;

/**
 * What a ledger allocates.
 *
 * @param ranges networks of the default ServiceCIDR: one, or one of each family, the primary one first
 * @param firstNodePort 1 to 65535
 * @param lastNodePort not below the first
 */
public record LedgerSettings(List<IpPrefix> ranges, int firstNodePort, int lastNodePort, Semantics semantics) {
    public LedgerSettings {
        ranges = List.copyOf(ranges);
    }

    /** The families of the cluster, the primary one first. */
    public List<IpFamily> families() {
        return ranges.stream().map(IpPrefix::family).toList();
    }
}
