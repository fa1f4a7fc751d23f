package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.AppliedFragment.Placed;
import io.dualstackd.dataplane.diff.TransactionDraft.AppliedChange;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The applied state: what the kernel holds of dualstackd's rules, as far as known. Owned by one reconciler; it changes only by the
 * answer to a transaction and by reading the kernel. Mutable, because a change of one Service must not cost a copy of ten thousand.
 */
public final class AppliedState {
    private final Map<ChainId, Fingerprint> contents;
    private final Map<ServiceKey, AppliedFragment> services = new HashMap<>();
    private AppliedFragment frame = AppliedFragment.NOTHING;
    private long rules;

    /** @param contents what was read; must not be used by the caller afterwards */
    public AppliedState(Map<ChainId, Fingerprint> contents) {
        this.contents = contents;
    }

    /** The content of each own chain; shared chains are in it with {@link Fingerprint#EMPTY}. */
    public Map<ChainId, Fingerprint> contents() {
        return contents;
    }

    public AppliedFragment of(ServiceKey service) {
        return services.getOrDefault(service, AppliedFragment.NOTHING);
    }

    public AppliedFragment frame() {
        return frame;
    }

    public void apply(AppliedChange change) {
        change.gone().forEach(contents::remove);
        contents.putAll(change.contents());
        change.written().forEach((origin, appliedFragment) -> {
            switch (origin) {
                case Origin.Node ignored -> {
                    rules += appliedFragment.rules() - frame.rules();
                    frame = appliedFragment;
                }
                case Origin.OfService(ServiceKey service) -> {
                    rules += appliedFragment.rules() - of(service).rules();
                    if (appliedFragment.equals(AppliedFragment.NOTHING)) {
                        services.remove(service);
                    } else {
                        services.put(service, appliedFragment);
                    }
                }
                case Origin.Leftover ignored -> {}
            }
        });
    }

    /**
     * Corrects the applied state of a few chains. Walks over the whole applied state.
     *
     * @param read chains that were read again
     * @param now the content of those that are still there, in the form of {@link #contents}
     * @param changed those whose content differs from the applied state
     * @param rules the rules, by handle, of chains that hold single rules of many origins; those found as applied are removed from it
     * @return the origins whose rules are not all as applied
     */
    Set<Origin> correct(
            Set<ChainId> read,
            Map<ChainId, Fingerprint> now,
            Set<ChainId> changed,
            Map<ChainId, Map<Long, Fingerprint>> rules) {
        for (ChainId chain : read) {
            Fingerprint content = now.get(chain);
            if (content == null) {
                contents.remove(chain);
            } else {
                contents.put(chain, content);
            }
        }
        Set<Origin> concerned = new HashSet<>();
        AppliedFragment frameNow = withoutLost(frame, rules);
        if (frameNow.placed().size() < frame.placed().size() || !Collections.disjoint(frame.chains(), changed)) {
            concerned.add(Origin.NODE);
        }
        frame = frameNow;
        services.replaceAll((service, appliedFragment) -> {
            AppliedFragment writtenNow = withoutLost(appliedFragment, rules);
            if (writtenNow.placed().size() < appliedFragment.placed().size()
                    || appliedFragment.chains().stream().anyMatch(changed::contains)) {
                concerned.add(new Origin.OfService(service));
            }
            return writtenNow;
        });
        return concerned;
    }

    /** Returns {@code appliedFragment} without the placed rules that are not in {@code rules}. */
    private static AppliedFragment withoutLost(
            AppliedFragment appliedFragment, Map<ChainId, Map<Long, Fingerprint>> rules) {
        List<Placed> kept = new ArrayList<>(appliedFragment.placed().size());
        for (Placed placed : appliedFragment.placed()) {
            Map<Long, Fingerprint> ofChain = rules.get(placed.chain());
            if (ofChain == null || ofChain.remove(placed.handle(), placed.print())) {
                kept.add(placed);
            }
        }
        return kept.size() == appliedFragment.placed().size()
                ? appliedFragment
                : new AppliedFragment(appliedFragment.chains(), kept, appliedFragment.rules());
    }

    /** Those of {@code chains} that belong to one origin alone. Walks over the whole applied state. */
    Set<ChainId> owned(Set<ChainId> chains) {
        Set<ChainId> owned = new HashSet<>();
        frame.chains().stream().filter(chains::contains).forEach(owned::add);
        services.values()
                .forEach(appliedFragment -> appliedFragment.chains().stream()
                        .filter(chains::contains)
                        .forEach(owned::add));
        return owned;
    }

    /** The number of own chains, shared ones included. */
    public int chainCount() {
        return contents.size();
    }

    /** The number of own rules, in all chains. */
    public int ruleCount() {
        return RulesByTable.all(rules);
    }

    /** The number of own rules in each table, as in {@link RulesByTable}. */
    public long rules() {
        return rules;
    }
}
