package io.dualstackd.dataplane.model;

/** By which part of the kernel Services are programmed. The modes differ in a few corners that a packet can notice. */
public enum ProxyMode {
    /** xtables rules in the layout of kube-proxy's iptables mode. */
    IPTABLES,
    /** Tables, maps and sets of our own in nf_tables. */
    NFTABLES
}
