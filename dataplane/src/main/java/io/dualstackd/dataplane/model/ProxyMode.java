package io.dualstackd.dataplane.model;

/** The part of the kernel in which Services are programmed. Packets are handled alike in all modes but for a few corner cases. */
public enum ProxyMode {
    /** xtables rules in the layout of kube-proxy's iptables mode. */
    IPTABLES("iptables"),
    /** Tables, maps and sets of dualstackd in nf_tables. */
    NFTABLES("nftables"),
    /** Virtual servers of the kernel's load balancer, and xtables rules around them. */
    IPVS("ipvs");

    private final String label;

    ProxyMode(String label) {
        this.label = label;
    }

    /** The name as in the configuration. */
    @Override
    public String toString() {
        return label;
    }
}
