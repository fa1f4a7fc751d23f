package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Optional;

/**
 * The properties of the node that its pods depend on.
 *
 * @param preferred the family that comes first, as {@link PodIps#sorted} takes it; empty: each pod has that of its runtime
 * @param ips the node's primary and, if there is one, secondary address; none while they are not known
 */
public record NodeNames(Optional<IpFamily> preferred, List<Ip> ips) {
    public NodeNames {
        ips = List.copyOf(ips);
    }

    /** With a family that comes first in all pods. */
    public NodeNames(IpFamily preferred, List<Ip> ips) {
        this(Optional.of(preferred), ips);
    }
}
