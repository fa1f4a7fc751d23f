package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who is to blame for refused transactions. A transaction is all or nothing, so one Service the kernel cannot hold (a match its
 * build lacks, say) would keep all others out; when the same origin is refused twice in a row, also right after the kernel was
 * read anew, it is left out until it changes or is forgiven: what the kernel took of it last stays in force.
 */
final class Refusals {
    private final Map<Origin, String> suspects = new HashMap<>();
    private final Map<ServiceKey, String> leftOut = new HashMap<>();
    private final Set<ChainId> stuck = new HashSet<>();

    void note(List<Refusal> refusals) {
        Map<Origin, String> now = new HashMap<>();
        for (Refusal refusal : refusals) {
            refusal.origin().ifPresent(origin -> now.putIfAbsent(origin, refusal.kernelSays()));
        }
        if (now.containsKey(Origin.NODE)) {
            // Whoever relies on what the node may not have is refused with it, and is not to blame.
            now.keySet().removeIf(origin -> !origin.equals(Origin.NODE));
        }
        now.forEach((origin, words) -> {
            if (suspects.containsKey(origin)) {
                leaveOut(origin, words);
            }
        });
        suspects.clear();
        suspects.putAll(now);
    }

    /** Services that were refused something. */
    static Set<ServiceKey> services(List<Refusal> refusals) {
        Set<ServiceKey> services = new HashSet<>();
        for (Refusal refusal : refusals) {
            if (refusal.origin().orElse(Origin.NODE) instanceof Origin.OfService(ServiceKey key)) {
                services.add(key);
            }
        }
        return services;
    }

    private void leaveOut(Origin origin, String words) {
        switch (origin) {
            case Origin.OfService(ServiceKey service) -> leftOut.put(service, words);
            case Origin.Leftover(ChainId chain) -> stuck.add(chain);
            case Origin.Node ignored -> {}
        }
    }

    void settled() {
        suspects.clear();
    }

    void forgive(ServiceKey service) {
        leftOut.remove(service);
    }

    void forgive() {
        leftOut.clear();
        stuck.clear();
    }

    boolean leftOut(ServiceKey service) {
        return leftOut.containsKey(service);
    }

    Map<ServiceKey, String> leftOut() {
        return leftOut;
    }

    /** Chains the kernel will not delete, because somebody else's rule leads to them. */
    Set<ChainId> stuckChains() {
        return stuck;
    }
}
