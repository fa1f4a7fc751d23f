package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.rules.nftables.Lane;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** How many destinations of each lane have how many endpoints: a set and a rule exist for each number in use. */
final class CountsInUse {
    private final Map<Lane, Map<Integer, Integer>> destinations = new EnumMap<>(Lane.class);

    CountsInUse() {
        for (Lane lane : Lane.values()) {
            destinations.put(lane, new TreeMap<>());
        }
    }

    CountsInUse copy() {
        CountsInUse copy = new CountsInUse();
        destinations.forEach((lane, counts) -> copy.destinations.put(lane, new TreeMap<>(counts)));
        return copy;
    }

    void more(Lane lane, int endpoints) {
        of(lane).merge(endpoints, 1, Integer::sum);
    }

    void less(Lane lane, int endpoints) {
        of(lane).computeIfPresent(endpoints, (key, uses) -> uses == 1 ? null : uses - 1);
    }

    boolean inUse(Lane lane, int endpoints) {
        return of(lane).containsKey(endpoints);
    }

    SortedSet<Integer> inUse(Lane lane) {
        return new TreeSet<>(of(lane).keySet());
    }

    private Map<Integer, Integer> of(Lane lane) {
        return destinations.getOrDefault(lane, Map.of());
    }
}
