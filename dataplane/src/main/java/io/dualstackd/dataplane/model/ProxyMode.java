package io.dualstackd.dataplane.model;

/** By which part of the kernel Services are programmed. The modes differ in a few corners that a packet can notice. */
public enum ProxyMode {
    /** xtables rules in the layout of kube-proxy's iptables mode. */
    IPTABLES("iptables"),
    /** Tables, maps and sets of our own in nf_tables. */
    NFTABLES("nftables"),
    /** Virtual servers of the kernel's load balancer, and xtables rules around them. */
    IPVS("ipvs");

    private final String label;

    ProxyMode(String label) {
        this.label = label;
    }

    /** As in the configuration. */
    @Override
    public String toString() {
        return label;
    }
}
