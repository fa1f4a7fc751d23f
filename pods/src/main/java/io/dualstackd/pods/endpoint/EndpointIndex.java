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
 * Which Services name the addresses of live pods of this node in slices of sources: an index as small as the node, whatever the size of
 * the cluster. A death asks it and no slice; a changed Service costs its own addresses; a new pod costs a look at all, in portions.
 */
final class EndpointIndex {
    /** Services looked at in one portion: some 0.1 ms with ten endpoints each. */
    static final int PORTION = 256;

    private final Map<Ip, Set<ServiceKey>> byAddress = new HashMap<>();
    private final Map<ServiceKey, Set<Ip>> byService = new HashMap<>();
    /** Not known of these yet who names them. */
    private final Set<Ip> fresh = new HashSet<>();
    /** Where {@link #fresh} ones have still to be looked for; what changes meanwhile is looked at by itself. */
    private final Queue<ServiceKey> unseen = new ArrayDeque<>();

    private long looks;

    /** How many addresses have been looked at so far. */
    long looks() {
        return looks;
    }

    /** Exactly these are followed from now on. */
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

    /** One portion of what is not known of new addresses. */
    void learn(Map<ServiceKey, ServiceState> states) {
        for (int i = 0; i < PORTION && !unseen.isEmpty(); i++) {
            ServiceKey key = unseen.remove();
            look(key, states.getOrDefault(key, ServiceState.GONE));
        }
        if (unseen.isEmpty()) {
            fresh.clear();
        }
    }

    /** What is said of a service is now this. */
    void onReplaced(ServiceKey key, ServiceState now) {
        Set<Ip> before = byService.remove(key);
        if (before != null) {
            before.forEach(ip -> byAddress.computeIfPresent(ip, (same, services) -> {
                services.remove(key);
                return services;
            }));
        }
        look(key, now);
    }

    private void look(ServiceKey key, ServiceState state) {
        if (byAddress.isEmpty()) {
            return;
        }
        for (EndpointSlice slice : state.slices()) {
            if (!GeneratedSlice.isMade(slice)) {
                looks += slice.endpoints().size();
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

    /** The Services that name it. */
    Set<ServiceKey> naming(Ip ip) {
        return Set.copyOf(byAddress.getOrDefault(ip, Set.of()));
    }
}
