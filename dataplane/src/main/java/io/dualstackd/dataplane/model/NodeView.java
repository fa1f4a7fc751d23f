package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.Optional;

/**
 * This node in one family: its name, location, addresses and settings.
 *
 * @param zone label {@code topology.kubernetes.io/zone}, empty when absent
 * @param nodeIp the node's own address of this family, if known
 * @param addresses every address on the node's interfaces, of this family
 * @param masqueradeAll masquerade all ClusterIP traffic
 * @param masqueradeBit the bit of the packet mark that requests masquerade, 0 to 31
 * @param localhostNodePorts node ports also answer on 127.0.0.0/8 (IPv4, iptables mode only)
 * @param dropInvalid drop packets conntrack calls INVALID; off where the kernel's conntrack is liberal about TCP
 * @param nfacct the kernel counts packets at named objects for rules (iptables mode only)
 * @param serviceCidrs networks of this family that ClusterIPs come from, sorted, none within another; empty when not known
 */
public record NodeView(
        IpFamily family,
        String name,
        String zone,
        Optional<Ip> nodeIp,
        List<Ip> addresses,
        LocalDetector detector,
        NodePortAddresses nodePortAddresses,
        boolean masqueradeAll,
        int masqueradeBit,
        boolean localhostNodePorts,
        boolean dropInvalid,
        boolean nfacct,
        List<IpPrefix> serviceCidrs) {
    public NodeView {
        addresses = List.copyOf(addresses);
        serviceCidrs = List.copyOf(serviceCidrs);
        if (masqueradeBit < 0 || masqueradeBit > 31) {
            throw new IllegalArgumentException("masquerade bit " + masqueradeBit + " is not in 0..31");
        }
    }

    /**
     * The addresses without the link-local ones: links of pods come with those, and a change of them must not look like a change of
     * the node.
     */
    public List<Ip> stableAddresses() {
        return addresses.stream().filter(ip -> !ip.isLinkLocal()).toList();
    }

    /** The masquerade bit as a mark: bit 14 is {@code 0x4000}. */
    public int masqueradeMark() {
        return 1 << masqueradeBit;
    }
}
