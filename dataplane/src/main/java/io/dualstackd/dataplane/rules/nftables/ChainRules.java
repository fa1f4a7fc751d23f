package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.RuleBody;
import java.util.List;
import java.util.Optional;

/**
 * A chain as it is wanted.
 *
 * @param hook where packets enter; empty for a chain that is only jumped to
 * @param rules in order; together with the name all that is compared with the kernel's dump
 */
public record ChainRules(String name, Optional<NftHook> hook, List<RuleBody> rules) {
    public ChainRules {
        rules = List.copyOf(rules);
    }

    static ChainRules of(String name, List<RuleBody> rules) {
        return new ChainRules(name, Optional.empty(), rules);
    }

    static ChainRules of(String name, RuleBody... rules) {
        return of(name, List.of(rules));
    }

    static ChainRules base(String name, NftHook hook, RuleBody... rules) {
        return new ChainRules(name, Optional.of(hook), List.of(rules));
    }
}
