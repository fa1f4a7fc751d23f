package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A few chains read again because another program changed them. The applied state is corrected by what was found; comparing the origins
 * concerned with what they want then repairs exactly what differs, at a cost that does not grow with the number of Services but for one
 * walk over the applied state.
 *
 * @param read the chains that were read, whether they still exist or not
 * @param found those of them that exist, with their rules
 */
public record Recheck(Set<ChainId> read, KernelChains found) {
    public Recheck {
        read = Set.copyOf(read);
    }

    /**
     * Corrects the applied state and returns the origins whose rules have to be compared again.
     *
     * @param leave own chains that the kernel refused to delete; they are emptied only, when no origin wants them
     * @param draft made with the contents of {@code appliedState} and still empty; receives leftover and shared chains
     */
    public Set<Origin> correct(
            AppliedState appliedState, Layout layout, Planner planner, Set<ChainId> leave, TransactionDraft draft) {
        Set<ChainId> shared = layout.shared(planner);
        Set<ChainId> guest = layout.guest(planner);
        Map<ChainId, Fingerprint> now = Reconciliation.contents(found, layout, planner);

        Set<ChainId> changed = new HashSet<>();
        Set<ChainId> leftovers = new HashSet<>();
        for (ChainId chain : read) {
            if (!Objects.equals(appliedState.contents().get(chain), now.get(chain))) {
                changed.add(chain);
            }
            if (now.containsKey(chain) && !shared.contains(chain) && !guest.contains(chain)) {
                leftovers.add(chain);
            }
        }
        Map<ChainId, Map<Long, Fingerprint>> unclaimed = rulesOneByOne(layout, shared, guest);
        Set<Origin> concerned = appliedState.correct(read, now, changed, unclaimed);
        leftovers.removeAll(appliedState.owned(leftovers));

        read.stream().filter(shared::contains).sorted().forEach(draft::ensureShared);
        read.stream().filter(guest::contains).sorted().forEach(draft::ensureShared);
        offer(unclaimed, shared, layout.jumps(planner), draft);
        leftovers.stream().sorted().forEach(chain -> draft.dropLeftover(chain, leave));
        return concerned;
    }

    /** The rules, by handle, of the chains that hold single rules of origins. */
    private Map<ChainId, Map<Long, Fingerprint>> rulesOneByOne(Layout layout, Set<ChainId> shared, Set<ChainId> guest) {
        Map<ChainId, Map<Long, Fingerprint>> rules = new HashMap<>();
        for (ChainId chain : read) {
            if (shared.contains(chain) || guest.contains(chain) || !layout.ours(chain)) {
                Map<Long, Fingerprint> ofChain = new HashMap<>();
                for (KernelRule rule : found.chains().getOrDefault(chain, List.of())) {
                    ofChain.put(rule.handle(), rule.print());
                }
                rules.put(chain, ofChain);
            }
        }
        return rules;
    }

    private static void offer(
            Map<ChainId, Map<Long, Fingerprint>> unclaimed,
            Set<ChainId> shared,
            Set<Fingerprint> jumps,
            TransactionDraft draft) {
        unclaimed.forEach((chain, rules) -> rules.forEach((handle, print) -> {
            if (shared.contains(chain) || jumps.contains(print)) {
                draft.offer(chain, print, handle);
            }
        }));
    }
}
