package io.dualstackd.dns.forward;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The order in which resolvers are queried: as configured, but those that recently did not answer come last. */
public final class NameserverOrder {
    /** How long one that did not answer comes last, in nanoseconds. */
    static final long REST = 10_000_000_000L;

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

    /** The resolver answered. */
    public void answered(Nameserver server) {
        silentSince.remove(server);
    }

    /** The resolver did not answer in time, or cannot be reached. */
    public void silent(Nameserver server, long now) {
        silentSince.put(server, now);
    }
}
