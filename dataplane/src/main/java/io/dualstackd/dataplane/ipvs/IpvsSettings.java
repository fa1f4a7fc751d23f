package io.dualstackd.dataplane.ipvs;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/**
 * The settings of virtual servers.
 *
 * @param scheduler the kernel's name of an algorithm
 * @param excluded virtual servers on these addresses belong to other programs, unless a Service wants them
 */
public record IpvsSettings(String scheduler, List<IpPrefix> excluded) {
    /** Round robin, the default of kube-proxy. */
    public static final String ROUND_ROBIN = "rr";

    public static final IpvsSettings USUAL = new IpvsSettings(ROUND_ROBIN, List.of());

    public IpvsSettings {
        excluded = List.copyOf(excluded);
    }

    /** Whether virtual servers on this address are to be left alone that no Service wants. */
    public boolean excludes(Ip ip) {
        return excluded.stream().anyMatch(network -> network.contains(ip));
    }
}
