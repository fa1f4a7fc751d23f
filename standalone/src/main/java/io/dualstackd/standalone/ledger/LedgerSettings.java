package io.dualstackd.standalone.ledger;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.allocation.ServiceRange;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.time.Duration;
import java.util.List;

/**
 * The ranges that a ledger allocates from.
 *
 * @param ranges networks of the default ServiceCIDR: one, or one of each family, the primary one first
 * @param firstNodePort 1 to 65535
 * @param lastNodePort not below the first
 * @param keepsFirstAddress whether the first address of each range is kept for Service {@code default/kubernetes}
 * @param cidrGrace how long a deleted ServiceCIDR stays at least
 */
public record LedgerSettings(
        List<IpPrefix> ranges,
        int firstNodePort,
        int lastNodePort,
        Semantics semantics,
        boolean keepsFirstAddress,
        Duration cidrGrace) {
    /** As in Kubernetes; KEP-1880 says a minute. */
    public static final Duration USUAL_GRACE = Duration.ofSeconds(10);

    public LedgerSettings {
        ranges = List.copyOf(ranges);
    }

    /** Any Service may have the first address of a range. */
    public LedgerSettings(List<IpPrefix> ranges, int firstNodePort, int lastNodePort, Semantics semantics) {
        this(ranges, firstNodePort, lastNodePort, semantics, false, USUAL_GRACE);
    }

    /** The addresses that only Service {@code default/kubernetes} gets: an API server answers there. */
    public List<Ip> kept() {
        return keepsFirstAddress
                ? ranges.stream()
                        .map(ServiceRange::new)
                        .filter(range -> range.size() != 0)
                        .map(range -> range.at(0))
                        .toList()
                : List.of();
    }

    /** The families of the cluster, the primary one first. */
    public List<IpFamily> families() {
        return ranges.stream().map(IpPrefix::family).toList();
    }
}
