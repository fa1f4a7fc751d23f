package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.model.IptablesVariant;
import java.util.Collection;
import java.util.Optional;

/**
 * What tells which variant of iptables a host uses.
 *
 * @param nfTables what stands in nf_tables; empty where the kernel has none
 * @param legacy what stands in the tables of iptables legacy
 * @param tools the variant of the command {@code iptables} of this host; empty where it is not to be seen
 */
public record VariantSigns(Optional<Found> nfTables, Found legacy, Optional<IptablesVariant> tools) {
    /** What one variant holds, in both families. */
    public enum Found {
        /** No rule at all. */
        NOTHING,
        /** Rules of anybody. */
        RULES,
        /** A chain that a kubelet makes to say: this is where this host has its rules. */
        HINT
    }

    /** Whether the names of a mangle table's chains hold what a kubelet puts there. */
    public static boolean holdHint(Collection<String> mangleChains) {
        return mangleChains.contains(ChainNames.HINT) || mangleChains.contains(ChainNames.KUBELET_CANARY);
    }

    /**
     * The variant, and why. A kubelet knows, and so does the command that everybody else on the host calls; where nobody can be asked
     * rules that are there already decide, and where there are none, the kernel's newer ones.
     */
    public Choice choose() {
        if (nfTables.isEmpty()) {
            return new Choice(IptablesVariant.LEGACY, "the kernel has no nf_tables");
        }
        Found nft = nfTables.get();
        if (nft == Found.HINT) {
            return new Choice(IptablesVariant.NF_TABLES, "kubelet's chains are there");
        }
        if (legacy == Found.HINT) {
            return new Choice(IptablesVariant.LEGACY, "kubelet's chains are there");
        }
        if (tools.isPresent()) {
            return new Choice(tools.get(), "the command iptables of this host is of this variant");
        }
        if (legacy == Found.RULES && nft == Found.NOTHING) {
            return new Choice(IptablesVariant.LEGACY, "the rules of this host are there");
        }
        return new Choice(IptablesVariant.NF_TABLES, "nothing speaks for another");
    }

    /** @param why for people */
    public record Choice(IptablesVariant variant, String why) {}
}
