package io.dualstackd.bench.scale;

import java.util.HashMap;
import java.util.Map;

/** Services that look otherwise from now on, by their numbers. */
record ServiceChange(Map<Integer, Look> looks) {
    ServiceChange {
        looks = Map.copyOf(looks);
    }

    static ServiceChange of(int service, Look look) {
        return new ServiceChange(Map.of(service, look));
    }

    /** {@code count} endpoints at once: the first of every Service, then the second of every Service, and so on. */
    static ServiceChange replacing(Cluster cluster, int count) {
        Map<Integer, Look> looks = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int index = i / cluster.services() % cluster.endpoints();
            looks.compute(
                    i % cluster.services(), (n, look) -> (look == null ? cluster.usual(n) : look).replacing(index));
        }
        return new ServiceChange(looks);
    }

    /** What brings {@code cluster} back to what it was at first. */
    ServiceChange undo(Cluster cluster) {
        Map<Integer, Look> before = new HashMap<>();
        looks.keySet().forEach(n -> before.put(n, cluster.usual(n)));
        return new ServiceChange(before);
    }
}
