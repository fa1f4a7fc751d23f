package io.dualstackd.dataplane.model;

/** Which of the kernel's two places for iptables rules is meant; hooks of both see every packet, whatever stands in the other. */
public enum IptablesVariant {
    /** Rules of nf_tables, as {@code iptables-nft} writes them. */
    NF_TABLES("nf_tables"),
    /** Tables that are replaced as a whole, as {@code iptables-legacy} does. */
    LEGACY("legacy");

    private final String label;

    IptablesVariant(String label) {
        this.label = label;
    }

    /** As {@code iptables --version} has it. */
    @Override
    public String toString() {
        return label;
    }
}
