package io.dualstackd.dns.forward;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The order in which resolvers are queried: as configured, but those that recently did not answer come last. */
public final class NameserverOrder {
    /** How long one that did not answer comes last, in nanoseconds. */
    static final long REST = 10_000_000_000L;

    /** How long after its last query one that did not answer counts as silent, in nanoseconds. */
    static final long SILENT = 300_000_000_000L;

    private final List<Nameserver> configured;
    private final Map<Nameserver, Long> silentSince = new HashMap<>();

    public NameserverOrder(List<Nameserver> configured) {
        this.configured = List.copyOf(configured);
    }

    public List<Nameserver> at(long now) {
        List<Nameserver> order = new ArrayList<>(configured.size());
        List<Nameserver> last = new ArrayList<>();
        for (Nameserver server : configured) {
            Long since = silentSince.get(server);
            (since != null && now - since < REST ? last : order).add(server);
        }
        order.addAll(last);
        return order;
    }

    /** Whether there are resolvers, and each was silent when it was last queried; a query long ago does not count. */
    public boolean allSilent(long now) {
        return !configured.isEmpty()
                && configured.stream().allMatch(server -> {
                    Long since = silentSince.get(server);
                    return since != null && now - since < SILENT;
                });
    }

    /** The resolver answered. */
    public void answered(Nameserver server) {
        silentSince.remove(server);
    }

    /** The resolver did not answer in time, or cannot be reached. */
    public void silent(Nameserver server, long now) {
        silentSince.put(server, now);
    }
}
