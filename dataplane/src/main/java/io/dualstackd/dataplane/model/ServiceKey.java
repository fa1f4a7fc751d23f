package io.dualstackd.dataplane.model;

import java.util.Comparator;

/** The name of a Service in the cluster. */
public record ServiceKey(String namespace, String name) implements Comparable<ServiceKey> {
    private static final Comparator<ServiceKey> ORDER =
            Comparator.comparing(ServiceKey::namespace).thenComparing(ServiceKey::name);

    @Override
    public int compareTo(ServiceKey other) {
        return ORDER.compare(this, other);
    }

    /** {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
