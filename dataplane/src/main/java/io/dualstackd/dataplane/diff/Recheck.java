package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A few chains read again because somebody else changed them. The belief is corrected by what was found; then comparing the origins
 * concerned with what they want repairs exactly what is broken, at a cost that does not grow with the number of Services but for
 * one walk over the belief.
 *
 * @param looked the chains that were looked at, whether they are still there or not
 * @param found those of them that are, with their rules
 */
public record Recheck(Set<ChainId> looked, KernelChains found) {
    public Recheck {
        looked = Set.copyOf(looked);
    }

    /**
     * Corrects the belief and says whose rules have to be compared again.
     *
     * @param leave chains of ours that the kernel refused to delete and that are to be left in peace
     * @param draft made with the contents of {@code belief} and still empty; takes what nobody wants, and what all need
     */
    public Set<Origin> correct(
            AppliedState appliedState, Layout layout, NodeView node, Set<ChainId> leave, TransactionDraft draft) {
        Set<ChainId> shared = layout.shared(node);
        Set<ChainId> guest = layout.guest(node);
        Map<ChainId, Fingerprint> now = Reconciliation.contents(found, layout, node);

        Set<ChainId> changed = new HashSet<>();
        Set<ChainId> nobodys = new HashSet<>();
        for (ChainId chain : looked) {
            if (!Objects.equals(appliedState.contents().get(chain), now.get(chain))) {
                changed.add(chain);
            }
            if (now.containsKey(chain) && !shared.contains(chain) && !guest.contains(chain) && !leave.contains(chain)) {
                nobodys.add(chain);
            }
        }
        Map<ChainId, Map<Long, Fingerprint>> unclaimed = rulesOneByOne(layout, shared, guest);
        Set<Origin> concerned = appliedState.correct(looked, now, changed, unclaimed);
        nobodys.removeAll(appliedState.owned(nobodys));

        looked.stream().filter(shared::contains).sorted().forEach(draft::ensureShared);
        looked.stream().filter(guest::contains).sorted().forEach(draft::ensureShared);
        offer(unclaimed, shared, layout.jumps(node), draft);
        nobodys.stream().sorted().forEach(chain -> draft.dropChain(new Origin.Leftover(chain), chain));
        return concerned;
    }

    /** The rules, by handle, of the chains where origins have single rules. */
    private Map<ChainId, Map<Long, Fingerprint>> rulesOneByOne(Layout layout, Set<ChainId> shared, Set<ChainId> guest) {
        Map<ChainId, Map<Long, Fingerprint>> rules = new HashMap<>();
        for (ChainId chain : looked) {
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
