package io.dualstackd.kubeapi.objects;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/**
 * A {@code v1/Node}.
 *
 * @param zone label {@code topology.kubernetes.io/zone}, empty when absent
 * @param podCidrs {@code spec.podCIDRs}: at most one of each family
 * @param addresses {@code status.addresses[]} that are IP addresses, in order
 * @param taints keys of {@code spec.taints[]}
 * @param deleting {@code metadata.deletionTimestamp} is set
 */
public record Node(
        String name,
        String zone,
        List<IpPrefix> podCidrs,
        List<Address> addresses,
        List<String> taints,
        boolean deleting)
        implements ApiObject {
    /** The rule for {@code spec.podCIDRs}. */
    public static final String POD_CIDRS_RULE = "must be one network, or two of different IP families";

    public Node {
        podCidrs = List.copyOf(podCidrs);
        addresses = List.copyOf(addresses);
        taints = List.copyOf(taints);
    }

    /**
     * An entry of {@code status.addresses}.
     *
     * @param type {@code InternalIP}, {@code ExternalIP} or something new
     */
    public record Address(String type, Ip ip) {}

    /** The same node with other pod networks. */
    public Node withPodCidrs(List<IpPrefix> other) {
        return new Node(name, zone, other, addresses, taints, deleting);
    }

    @Override
    public ObjectKey key() {
        return new ObjectKey(ObjectKey.Kind.NODE, "", name);
    }
}
