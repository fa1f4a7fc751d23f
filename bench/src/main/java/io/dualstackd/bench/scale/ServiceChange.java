package io.dualstackd.bench.scale;

import java.util.HashMap;
import java.util.Map;

/** Services that change their shape, by their numbers. */
record ServiceChange(Map<Integer, ServiceShape> shapes) {
    ServiceChange {
        shapes = Map.copyOf(shapes);
    }

    static ServiceChange of(int service, ServiceShape serviceShape) {
        return new ServiceChange(Map.of(service, serviceShape));
    }

    /** Replaces {@code count} endpoints at once: the first of every Service, then the second of every Service, and so on. */
    static ServiceChange replacing(Cluster cluster, int count) {
        Map<Integer, ServiceShape> shapes = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int index = i / cluster.services() % cluster.endpoints();
            shapes.compute(
                    i % cluster.services(),
                    (n, serviceShape) -> (serviceShape == null ? cluster.usual(n) : serviceShape).replacing(index));
        }
        return new ServiceChange(shapes);
    }

    /** Returns the change that restores the initial state of {@code cluster}. */
    ServiceChange undo(Cluster cluster) {
        Map<Integer, ServiceShape> before = new HashMap<>();
        shapes.keySet().forEach(n -> before.put(n, cluster.usual(n)));
        return new ServiceChange(before);
    }
}
