package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.view.Destination;
import io.dualstackd.kubeapi.view.KeyedHash;
import io.dualstackd.kubeapi.view.ServiceViews;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which Service gets a destination that several Services name: the first one keeps it for as long as it names it. A cluster IP comes
 * before the external IPs of others, even later: the API server assigns it to one Service only, while anybody may write an external IP.
 *
 * <p>Of Services that are read at the start, the holder remembered from an earlier run of the daemon comes first, then the one with the
 * earliest creation time, then the one that was read first. Not thread-safe. The cost of a change is that of the Service's own
 * destinations.
 */
public final class DestinationHolders {
    private final Function<ServiceKey, Optional<Service>> services;
    private final Map<String, String> remembered;
    private final KeyedHash hash;
    private final FirstHolders first = new FirstHolders();
    /** The Services that name a destination, where there are several; the first one holds it. */
    private final Map<Destination, List<ServiceKey>> contested = new HashMap<>();

    private final Map<ServiceKey, Set<Destination>> lost = new HashMap<>();
    /** What Services name that were asked for it in the present call: each may hold thousands of destinations. */
    private final Map<ServiceKey, Set<Destination>> named = new HashMap<>();

    private boolean started;
    private boolean changed;

    /**
     * Creates an empty set of claims.
     *
     * @param services the current Services
     * @param remembered holders by destination, both as text: the result of {@link #toRemember} in an earlier run
     * @param hash with a random key
     */
    public DestinationHolders(
            Function<ServiceKey, Optional<Service>> services, Map<String, String> remembered, KeyedHash hash) {
        this.services = services;
        this.remembered = new HashMap<>(remembered);
        this.hash = hash;
    }

    /** All objects have been read once: from now on, a later Service does not take precedence over an earlier one. */
    public void started() {
        changed |= !started && !remembered.equals(toRemember());
        started = true;
        remembered.clear();
    }

    /** The destinations that the Service names and does not get. */
    public Set<Destination> lost(ServiceKey key) {
        return lost.getOrDefault(key, Set.of());
    }

    /**
     * A Service changed; {@link #services} already returns its new state.
     *
     * @return other Services whose destinations changed by this
     */
    public Set<ServiceKey> changed(ServiceKey key, Optional<Service> before, Optional<Service> after) {
        if (before.equals(after)) {
            return Set.of();
        }
        named.clear();
        Set<Destination> had = before.map(ServiceViews::destinations).orElse(Set.of());
        Set<Destination> names = after.map(ServiceViews::destinations).orElse(Set.of());
        Set<ServiceKey> others = new HashSet<>();
        for (Destination what : had) {
            if (!names.contains(what)) {
                leave(what, key, others);
            }
        }
        for (Destination what : names) {
            if (!had.contains(what)) {
                enter(what, key, others);
            }
        }
        named.clear();
        others.remove(key);
        return others;
    }

    private void enter(Destination what, ServiceKey key, Set<ServiceKey> others) {
        List<ServiceKey> all = contested.get(what);
        if (all == null) {
            ServiceKey holder = first.find(what.mixed(hash));
            if (holder == null || holder.equals(key) || !names(holder, what)) {
                first.put(what.mixed(hash), key);
                return;
            }
            all = new ArrayList<>(List.of(holder));
            contested.put(what, all);
        }
        ServiceKey before = all.getFirst();
        all.add(place(what, key, all), key);
        settle(what, before, all, others);
        if (all.getFirst().equals(before)) {
            lose(what, key);
        }
    }

    private void leave(Destination what, ServiceKey key, Set<ServiceKey> others) {
        List<ServiceKey> all = contested.get(what);
        if (all == null) {
            if (key.equals(first.find(what.mixed(hash)))) {
                first.remove(what.mixed(hash));
            }
            return;
        }
        ServiceKey before = all.getFirst();
        all.remove(key);
        win(what, key);
        settle(what, before, all, others);
        if (all.size() == 1) {
            contested.remove(what);
        }
    }

    /** The holder may have changed. */
    private void settle(Destination what, ServiceKey before, List<ServiceKey> all, Set<ServiceKey> others) {
        changed = true;
        ServiceKey holder = all.getFirst();
        if (!holder.equals(before)) {
            first.put(what.mixed(hash), holder);
            win(what, holder);
            others.add(holder);
            if (all.contains(before)) {
                lose(what, before);
                others.add(before);
            }
        }
    }

    private void lose(Destination what, ServiceKey key) {
        lost.computeIfAbsent(key, k -> new HashSet<>()).add(what);
    }

    private void win(Destination what, ServiceKey key) {
        Set<Destination> without = lost.get(key);
        if (without != null && without.remove(what) && without.isEmpty()) {
            lost.remove(key);
        }
    }

    private int place(Destination what, ServiceKey key, List<ServiceKey> all) {
        int first = 0;
        while (first < all.size() && isClusterIp(all.get(first), what)) {
            first++;
        }
        return isClusterIp(key, what) ? place(what, key, all, 0, first) : place(what, key, all, first, all.size());
    }

    /** The position among Services of the same rank: the last one, except for a Service that is read at the start. */
    private int place(Destination what, ServiceKey key, List<ServiceKey> all, int from, int to) {
        if (started) {
            return to;
        }
        String holder = remembered.get(what.toString());
        if (key.toString().equals(holder)) {
            return from;
        }
        int place = to;
        while (place > from && !all.get(place - 1).toString().equals(holder) && isOlder(key, all.get(place - 1))) {
            place--;
        }
        return place;
    }

    private boolean isClusterIp(ServiceKey key, Destination what) {
        return services.apply(key)
                .filter(service -> ServiceViews.isClusterIp(service, what))
                .isPresent();
    }

    private boolean isOlder(ServiceKey one, ServiceKey other) {
        long created = created(one);
        return created != 0 && created < created(other);
    }

    private long created(ServiceKey key) {
        return services.apply(key).map(Service::created).orElse(0L);
    }

    private boolean names(ServiceKey key, Destination what) {
        return named(key, services.apply(key)).contains(what);
    }

    private Set<Destination> named(ServiceKey key, Optional<Service> service) {
        Set<Destination> known = named.get(key);
        if (known == null) {
            known = service.map(ServiceViews::destinations).orElse(Set.of());
            named.put(key, known);
        }
        return known;
    }

    /** All conflicts, in a fixed order. */
    public List<DestinationConflict> disputes() {
        // Each text is made once: there may be thousands.
        SortedMap<String, DestinationConflict> sorted = new TreeMap<>();
        contested.forEach((what, all) -> all.stream()
                .skip(1)
                .forEach(
                        loser -> sorted.put(loser + " " + what, new DestinationConflict(what, all.getFirst(), loser))));
        return List.copyOf(sorted.values());
    }

    /** Conflicts that these updates would cause; nothing is changed. */
    public List<DestinationConflict> dryRun(List<Update> updates) {
        Map<ServiceKey, Optional<Service>> after = new LinkedHashMap<>();
        updates.stream()
                .filter(update -> update.key().kind() == ObjectKey.Kind.SERVICE)
                .forEach(update -> after.put(
                        new ServiceKey(update.key().namespace(), update.key().name()), service(update)));
        Map<Destination, ServiceKey> taken = new HashMap<>();
        List<DestinationConflict> disputes = new ArrayList<>();
        after.forEach((key, service) -> {
            Set<Destination> had =
                    services.apply(key).map(ServiceViews::destinations).orElse(Set.of());
            for (Destination what : service.map(ServiceViews::destinations).orElse(Set.of())) {
                ServiceKey holder = had.contains(what) ? null : holder(what, key, after);
                ServiceKey earlier = taken.putIfAbsent(what, key);
                if (holder == null && !had.contains(what)) {
                    holder = earlier;
                }
                if (holder != null) {
                    disputes.add(new DestinationConflict(what, holder, key));
                }
            }
        });
        named.clear();
        return disputes;
    }

    private static Optional<Service> service(Update update) {
        return switch (update) {
            case Update.Put(Service service) -> Optional.of(service);
            case Update.Put(ApiObject ignored) -> Optional.empty();
            case Update.Gone ignored -> Optional.empty();
        };
    }

    /** Another Service that holds the destination and would still name it. */
    private @Nullable ServiceKey holder(Destination what, ServiceKey key, Map<ServiceKey, Optional<Service>> after) {
        ServiceKey sole = first.find(what.mixed(hash));
        List<ServiceKey> all = contested.getOrDefault(what, sole == null ? List.of() : List.of(sole));
        return all.stream()
                .filter(holder -> !holder.equals(key))
                .filter(holder -> named(holder, after.getOrDefault(holder, services.apply(holder)))
                        .contains(what))
                .findFirst()
                .orElse(null);
    }

    /** Holders of contested destinations, by destination, if they changed since the last call. */
    public Optional<SortedMap<String, String>> takeChanged() {
        if (!changed || !started) {
            return Optional.empty();
        }
        changed = false;
        return Optional.of(toRemember());
    }

    private SortedMap<String, String> toRemember() {
        SortedMap<String, String> holders = new TreeMap<>();
        contested.forEach(
                (what, all) -> holders.put(what.toString(), all.getFirst().toString()));
        return holders;
    }
}
