package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.TransactionDraft.BeliefChange;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the kernel is believed to hold of ours. Owned by one line; it changes only by the answer to a transaction. Mutable,
 * because a change of one Service must not cost a copy of ten thousand.
 */
public final class Belief {
    private final Map<ChainId, Fingerprint> contents;
    private final Map<ServiceKey, Written> services = new HashMap<>();
    private Written frame = Written.NOTHING;
    private int rules;

    /** @param contents what was read; becomes the belief's own */
    public Belief(Map<ChainId, Fingerprint> contents) {
        this.contents = contents;
    }

    /** The content of each chain of ours; shared chains stand in it with {@link Fingerprint#EMPTY}. */
    public Map<ChainId, Fingerprint> contents() {
        return contents;
    }

    public Written of(ServiceKey service) {
        return services.getOrDefault(service, Written.NOTHING);
    }

    public Written frame() {
        return frame;
    }

    public void apply(BeliefChange change) {
        change.gone().forEach(contents::remove);
        contents.putAll(change.contents());
        change.written().forEach((origin, written) -> {
            switch (origin) {
                case Origin.Node ignored -> {
                    rules += written.rules() - frame.rules();
                    frame = written;
                }
                case Origin.OfService(ServiceKey service) -> {
                    rules += written.rules() - of(service).rules();
                    if (written.equals(Written.NOTHING)) {
                        services.remove(service);
                    } else {
                        services.put(service, written);
                    }
                }
                case Origin.Leftover ignored -> {}
            }
        });
    }

    /** Chains of ours, shared ones included. */
    public int chainCount() {
        return contents.size();
    }

    /** Rules of ours, in all chains. */
    public int ruleCount() {
        return rules;
    }

    /** Services that have anything in the kernel. */
    public Set<ServiceKey> services() {
        return services.keySet().stream().collect(Collectors.toUnmodifiableSet());
    }
}
