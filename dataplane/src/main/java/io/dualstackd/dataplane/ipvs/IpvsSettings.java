package io.dualstackd.dataplane.ipvs;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/**
 * How virtual servers are made.
 *
 * @param scheduler the kernel's name of an algorithm
 * @param excluded virtual servers on these addresses are somebody else's
 */
public record IpvsSettings(String scheduler, List<IpPrefix> excluded) {
    /** In turn, as kube-proxy does unless told otherwise. */
    public static final String ROUND_ROBIN = "rr";

    public static final IpvsSettings USUAL = new IpvsSettings(ROUND_ROBIN, List.of());

    public IpvsSettings {
        excluded = List.copyOf(excluded);
    }

    /** Whether virtual servers on this address are to be left alone. */
    public boolean excludes(Ip ip) {
        return excluded.stream().anyMatch(network -> network.contains(ip));
    }
}
