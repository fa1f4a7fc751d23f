package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A destination for which a lane may have endpoints.
 *
 * @param key of {@link Lane#destination}
 */
public record LaneDestination(Lane lane, Bytes key) {
    /** Those of a port, whether or not it has an endpoint; see {@link ElementCompiler}. */
    public static List<LaneDestination> of(ServicePort port) {
        Set<LaneDestination> all = new LinkedHashSet<>();
        all.add(new LaneDestination(Lane.CLUSTER, serviceIp(port, port.clusterIp())));
        List<Ip> external = new ArrayList<>(port.loadBalancerIps());
        external.addAll(port.externalIps());
        for (Ip ip : external) {
            all.add(new LaneDestination(Lane.CLUSTER, serviceIp(port, ip)));
            if (port.externalPolicyLocal()) {
                all.add(new LaneDestination(Lane.LOCAL, serviceIp(port, ip)));
            }
        }
        if (port.nodePort() != 0) {
            Bytes key = Keys.nodePort(port.name().protocol(), port.nodePort());
            all.add(new LaneDestination(Lane.NODE_PORT, key));
            if (port.externalPolicyLocal()) {
                all.add(new LaneDestination(Lane.LOCAL_NODE_PORT, key));
            }
        }
        return List.copyOf(all);
    }

    private static Bytes serviceIp(ServicePort port, Ip ip) {
        return Keys.serviceIp(ip, port.name().protocol(), port.port());
    }
}
