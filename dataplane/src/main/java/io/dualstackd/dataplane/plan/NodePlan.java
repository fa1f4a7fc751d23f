package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/**
 * The plan that all Services of one family on this node share.
 *
 * @param masqueradeMark the mark bit that requests masquerade, exactly one bit set
 * @param guardLoopback packets to 127.0.0.0/8 from elsewhere are dropped, because localhost node ports open that network
 * @param countDropped packets dropped as INVALID are counted at a named object; iptables mode only
 * @param countLocalhost packets to node ports on 127.0.0.0/8 are counted at a named object; iptables mode only
 * @param serviceCidrs a packet to an address in one of these that no Service has is dropped; nftables mode only
 */
public record NodePlan(
        IpFamily family,
        LocalDetector localPods,
        ClusterIpMasquerade clusterIpMasquerade,
        NodePortMatch nodePorts,
        int masqueradeMark,
        boolean guardLoopback,
        boolean dropInvalid,
        boolean countDropped,
        boolean countLocalhost,
        List<IpPrefix> serviceCidrs) {
    public NodePlan {
        serviceCidrs = List.copyOf(serviceCidrs);
    }

    /** The same plan with {@link #guardLoopback}. */
    public NodePlan withGuard() {
        return guardLoopback
                ? this
                : new NodePlan(
                        family,
                        localPods,
                        clusterIpMasquerade,
                        nodePorts,
                        masqueradeMark,
                        true,
                        dropInvalid,
                        countDropped,
                        countLocalhost,
                        serviceCidrs);
    }
}
