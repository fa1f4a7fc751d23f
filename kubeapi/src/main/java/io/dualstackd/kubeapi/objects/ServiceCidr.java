package io.dualstackd.kubeapi.objects;

import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;

/**
 * A {@code networking.k8s.io/v1 ServiceCIDR}: networks that ClusterIPs are allocated from.
 *
 * @param cidrs {@code spec.cidrs}: one, or one of each family
 */
public record ServiceCidr(String name, List<IpPrefix> cidrs) implements ApiObject {
    public ServiceCidr {
        cidrs = List.copyOf(cidrs);
    }

    @Override
    public ObjectKey key() {
        return new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", name);
    }
}
