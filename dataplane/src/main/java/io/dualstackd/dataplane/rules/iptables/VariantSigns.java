package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.model.IptablesVariant;
import java.util.Collection;
import java.util.Optional;

/**
 * The evidence of which variant of iptables a host uses.
 *
 * @param nfTables what nf_tables holds; empty where the kernel has none
 * @param legacy what the tables of iptables legacy hold
 * @param tools the variant of this host's {@code iptables} command; empty where it is not visible
 */
public record VariantSigns(Optional<Found> nfTables, Found legacy, Optional<IptablesVariant> tools) {
    /** The rules found in one variant, in both families. */
    public enum Found {
        /** No rule at all. */
        NOTHING,
        /** Rules of any program. */
        RULES,
        /** A chain that a kubelet creates to show that this host has its rules here. */
        HINT
    }

    /** Whether the names of a mangle table's chains include a kubelet's hint. */
    public static boolean holdHint(Collection<String> mangleChains) {
        return mangleChains.contains(ChainNames.HINT) || mangleChains.contains(ChainNames.KUBELET_CANARY);
    }

    /**
     * Chooses the variant, with the reason. A kubelet's hint decides, then the variant of the {@code iptables} command that other
     * programs on the host use; without these, existing rules decide, and where there are none, nf_tables is chosen.
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

    /** @param why the reason, to be shown to the user */
    public record Choice(IptablesVariant variant, String why) {}
}
