package io.dualstackd.dataplane.model;

/** The kernel implementation that holds iptables rules. The hooks of both see every packet, whatever the other one holds. */
public enum IptablesVariant {
    /** Rules of nf_tables, as {@code iptables-nft} writes them. */
    NF_TABLES("nf_tables"),
    /** Tables of ip_tables, replaced as a whole, as {@code iptables-legacy} does. */
    LEGACY("legacy");

    private final String label;

    IptablesVariant(String label) {
        this.label = label;
    }

    /** The name as {@code iptables --version} prints it. */
    @Override
    public String toString() {
        return label;
    }
}
