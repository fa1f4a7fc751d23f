package io.dualstackd.dataplane.rules.nftables;

import java.util.Arrays;
import java.util.Optional;

/** The sets every table has, regardless of Services. */
public enum FixedSet {
    /** Every address of a Service at which packets may be translated; the first lookup for a packet, and an index for administrators. */
    SERVICE_IPS("service-ips", KeyShape.SERVICE_IP),
    /** The ClusterIPs of all Services, with endpoints or without. */
    CLUSTER_IPS("cluster-ips", KeyShape.ADDRESS),
    /** External and load-balancer IPs under the Cluster policy: always masqueraded. */
    EXTERNAL_IPS("external-ips", KeyShape.SERVICE_IP),
    /** External and load-balancer IPs under the Local policy. */
    LOCAL_EXTERNAL_IPS("local-external-ips", KeyShape.SERVICE_IP),
    /** Every node port at which packets may be translated. */
    NODE_PORTS("node-ports", KeyShape.NODE_PORT),
    /** Those of them under the Local policy. */
    LOCAL_NODE_PORTS("local-node-ports", KeyShape.NODE_PORT),
    /** Addresses without any endpoint in the cluster: rejected. */
    REJECT_IPS("reject-ips", KeyShape.SERVICE_IP),
    /** Addresses that the Local policy leaves without an endpoint here: dropped, unless translated before. */
    DROP_IPS("drop-ips", KeyShape.SERVICE_IP),
    REJECT_NODE_PORTS("reject-node-ports", KeyShape.NODE_PORT),
    DROP_NODE_PORTS("drop-node-ports", KeyShape.NODE_PORT),
    /** Load-balancer IPs that only some sources may reach. */
    RESTRICTED_IPS("restricted-ips", KeyShape.SERVICE_IP),
    /** The sources that may reach a restricted address; the source is a range. */
    ALLOWED_SOURCES("allowed-sources", KeyShape.SOURCE),
    /** The restricted addresses again, looked up for packets of other sources only, which so are counted. */
    FIREWALL_IPS("firewall-ips", KeyShape.SERVICE_IP),
    /** Endpoints of this node, as their own clients. One endpoint may be in it for several Services. */
    HAIRPINS("hairpins", KeyShape.HAIRPIN),
    /** The node's addresses that node ports answer on; empty when they answer on all. Belongs to the node, not to Services. */
    NODE_PORT_ADDRESSES("node-port-addresses", KeyShape.ADDRESS);

    private final String setName;
    private final KeyShape shape;

    FixedSet(String setName, KeyShape shape) {
        this.setName = setName;
        this.shape = shape;
    }

    /** The set of that name; empty for the sets and maps of a {@link Lane}. */
    public static Optional<FixedSet> named(String name) {
        return Arrays.stream(values()).filter(set -> set.setName.equals(name)).findFirst();
    }

    /** The name in the kernel. */
    public String setName() {
        return setName;
    }

    public KeyShape shape() {
        return shape;
    }

    /** Whether keys are ranges in their last part. */
    public boolean ranges() {
        return this == ALLOWED_SOURCES;
    }

    /** Whether the kernel counts at each element the packets that begin connections, or try to. */
    public boolean counts() {
        return switch (this) {
            case SERVICE_IPS, NODE_PORTS, REJECT_IPS, DROP_IPS, REJECT_NODE_PORTS, DROP_NODE_PORTS, FIREWALL_IPS ->
                true;
            default -> false;
        };
    }

    /** Whether one element may be wanted by several Services. */
    public boolean shared() {
        return this == HAIRPINS || this == CLUSTER_IPS;
    }
}
