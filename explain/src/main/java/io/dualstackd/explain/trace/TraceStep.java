package io.dualstackd.explain.trace;

import io.dualstackd.explain.Evidence;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftHook;
import java.util.List;
import java.util.Optional;

/**
 * A rule that applied to a packet, or the end of a base chain.
 *
 * @param hook of the base chain in which the packet is, also in chains that it jumped to; empty when it is not known any more
 * @param rule handle of the rule, 0 for the policy of the chain
 * @param met elements of dualstackd's sets and maps that were found, as {@code explain} prints them
 * @param words the rule's comment, and what it does; may be empty
 * @param verdict {@code accept}, {@code drop}, {@code jump CHAIN}, {@code goto CHAIN}, {@code continue}, {@code reject} …
 */
public record TraceStep(
        Optional<NftHook> hook, ChainName chain, long rule, List<Evidence> met, String words, String verdict) {
    public TraceStep {
        met = List.copyOf(met);
    }

    /** Whether this is the policy of a base chain. */
    public boolean isPolicy() {
        return rule == 0;
    }

    /** {@code ip dualstackd services: service-ips: 10.96.0.10 . tcp . 80 comment "demo/web:http cluster IP", goto service-ips}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(chain.toString()).append(": ");
        for (Evidence one : met) {
            text.append(one.place().substring(one.place().indexOf(", ") + 2))
                    .append(": ")
                    .append(one.object())
                    .append(", ");
        }
        if (!words.isEmpty() && !words.equals(verdict)) {
            text.append(words).append(", ");
        }
        return text.append(verdict).append(isPolicy() ? ", its policy" : "").toString();
    }
}
