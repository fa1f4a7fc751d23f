package io.dualstackd.pods.endpoint;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * An index of the Services that list the addresses of live pods of this node in slices of sources; its size depends on the node, not on the
 * cluster. The death of a pod needs one lookup and reads no slice; a changed Service costs its own addresses; a new pod costs a scan of all
 * Services, in portions.
 */
final class EndpointIndex {
    /** Services scanned in one portion: some 0.1 ms with ten endpoints each. */
    static final int PORTION = 256;

    private final Map<Ip, Set<ServiceKey>> byAddress = new HashMap<>();
    private final Map<ServiceKey, Set<Ip>> byService = new HashMap<>();
    /** Addresses for which not all Services have been scanned yet. */
    private final Set<Ip> fresh = new HashSet<>();
    /** The Services still to be scanned for {@link #fresh} addresses; a Service that changes meanwhile is indexed by its own change. */
    private final Queue<ServiceKey> unseen = new ArrayDeque<>();

    private long lookups;

    /** The number of addresses read so far. */
    long lookups() {
        return lookups;
    }

    /** Sets the addresses that are followed from now on. */
    void follow(Set<Ip> live, Map<ServiceKey, ServiceState> states) {
        byAddress.keySet().removeIf(ip -> {
            boolean gone = !live.contains(ip);
            if (gone) {
                byAddress.getOrDefault(ip, Set.of()).forEach(service -> {
                    Set<Ip> of = byService.getOrDefault(service, Set.of());
                    if (of.size() <= 1) {
                        byService.remove(service);
                    } else {
                        of.remove(ip);
                    }
                });
                fresh.remove(ip);
            }
            return gone;
        });
        boolean more = false;
        for (Ip ip : live) {
            if (byAddress.putIfAbsent(ip, new HashSet<>(2)) == null) {
                more |= fresh.add(ip);
            }
        }
        if (more) {
            unseen.clear();
            unseen.addAll(states.keySet());
        }
    }

    /** Whether there is more to {@link #learn}. */
    boolean isLearning() {
        return !fresh.isEmpty();
    }

    /** Scans one portion of the Services for new addresses. */
    void learn(Map<ServiceKey, ServiceState> states) {
        for (int i = 0; i < PORTION && !unseen.isEmpty(); i++) {
            ServiceKey key = unseen.remove();
            index(key, states.getOrDefault(key, ServiceState.GONE));
        }
        if (unseen.isEmpty()) {
            fresh.clear();
        }
    }

    /** The state of a service was replaced. */
    void onReplaced(ServiceKey key, ServiceState now) {
        Set<Ip> before = byService.remove(key);
        if (before != null) {
            before.forEach(ip -> byAddress.computeIfPresent(ip, (same, services) -> {
                services.remove(key);
                return services;
            }));
        }
        index(key, now);
    }

    private void index(ServiceKey key, ServiceState state) {
        if (byAddress.isEmpty()) {
            return;
        }
        for (EndpointSlice slice : state.slices()) {
            if (!GeneratedSlice.isMade(slice)) {
                lookups += slice.endpoints().size();
                slice.addresses(ip -> {
                    Set<ServiceKey> naming = byAddress.get(ip);
                    if (naming != null && naming.add(key)) {
                        byService
                                .computeIfAbsent(key, service -> new HashSet<>(2))
                                .add(ip);
                    }
                });
            }
        }
    }

    /** The Services that list this address. */
    Set<ServiceKey> naming(Ip ip) {
        return Set.copyOf(byAddress.getOrDefault(ip, Set.of()));
    }
}
