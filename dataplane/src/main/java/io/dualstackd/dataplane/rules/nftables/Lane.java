package io.dualstackd.dataplane.rules.nftables;

/**
 * The four kinds of destinations for which endpoints are drawn. Each has a map from a destination and a number to an endpoint, one set
 * per number of endpoints in use with the destinations that have so many, and a chain with one rule per such set.
 */
public enum Lane {
    /** An address of a Service; all its endpoints, or this node's where that is the only list the address uses. */
    CLUSTER(KeyShape.SERVICE_IP, KeyShape.SERVICE_IP_SLOT, "service-ips", "endpoints"),
    /** An external or load-balancer IP under the Local policy; endpoints of this node. */
    LOCAL(KeyShape.SERVICE_IP, KeyShape.SERVICE_IP_SLOT, "local-service-ips", "local-endpoints"),
    /** A node port; all endpoints. */
    NODE_PORT(KeyShape.NODE_PORT, KeyShape.NODE_PORT_SLOT, "node-ports", "node-port-endpoints"),
    /** A node port under the Local policy; endpoints of this node. */
    LOCAL_NODE_PORT(KeyShape.NODE_PORT, KeyShape.NODE_PORT_SLOT, "local-node-ports", "local-node-port-endpoints");

    private final KeyShape destination;
    private final KeyShape slot;
    private final String destinations;
    private final String endpoints;

    Lane(KeyShape destination, KeyShape slot, String destinations, String endpoints) {
        this.destination = destination;
        this.slot = slot;
        this.destinations = destinations;
        this.endpoints = endpoints;
    }

    /** The keys of its sets. */
    public KeyShape destination() {
        return destination;
    }

    /** The keys of its map. */
    public KeyShape slot() {
        return slot;
    }

    /** The map from destination and number to endpoint: {@code endpoints}. */
    public String mapName() {
        return endpoints;
    }

    /** The set of destinations with {@code count} endpoints: {@code service-ips-3}. */
    public String setName(int count) {
        return destinations + "-" + count;
    }

    /** The verdict map of destinations with session affinity: {@code sticky-service-ips}. */
    public String stickyMapName() {
        return "sticky-" + destinations;
    }

    /** The chain that looks up how many endpoints a destination has: {@code pick-endpoints}. */
    public String chainName() {
        return "pick-" + endpoints;
    }

    /** The chain that draws one of {@code count}: {@code pick-endpoints-3}. */
    public String chainName(int count) {
        return chainName() + "-" + count;
    }

    /** The chain for packets during a change: {@code pick-endpoints-first}. */
    public String firstChainName() {
        return chainName() + "-first";
    }
}
