package io.dualstackd.kubeapi.objects;

import java.util.Arrays;
import java.util.Optional;

/**
 * Identifies an object.
 *
 * @param namespace empty for objects outside namespaces (nodes, service CIDRs, IP addresses)
 */
public record ObjectKey(Kind kind, String namespace, String name) implements Comparable<ObjectKey> {
    /** The kinds that are read. */
    public enum Kind {
        SERVICE("Service", "v1"),
        ENDPOINT_SLICE("EndpointSlice", "discovery.k8s.io/v1"),
        NODE("Node", "v1"),
        SERVICE_CIDR("ServiceCIDR", "networking.k8s.io/v1"),
        IP_ADDRESS("IPAddress", "networking.k8s.io/v1"),
        ENDPOINTS("Endpoints", "v1");

        private final String label;
        private final String apiVersion;

        Kind(String label, String apiVersion) {
            this.label = label;
            this.apiVersion = apiVersion;
        }

        /** Whether objects of this kind live in namespaces. */
        public boolean namespaced() {
            return switch (this) {
                case SERVICE, ENDPOINT_SLICE, ENDPOINTS -> true;
                case NODE, SERVICE_CIDR, IP_ADDRESS -> false;
            };
        }

        /** As in the field {@code apiVersion}. */
        public String apiVersion() {
            return apiVersion;
        }

        /** As in the field {@code kind}. */
        @Override
        public String toString() {
            return label;
        }
    }

    /** Reads the text of {@link #toString} of an object that a source has; empty when it is not the name of an object. */
    public static Optional<ObjectKey> parse(String text) {
        int space = text.indexOf(' ');
        String name = text.substring(space + 1);
        int slash = name.indexOf('/');
        return Arrays.stream(Kind.values())
                .filter(kind -> space > 0 && kind.toString().equals(text.substring(0, space)))
                .filter(kind -> kind.namespaced() == slash > 0)
                .map(kind -> new ObjectKey(kind, name.substring(0, Math.max(slash, 0)), name.substring(slash + 1)))
                .findFirst();
    }

    @Override
    public int compareTo(ObjectKey other) {
        // Maps of thousands of objects are searched by it, so it allocates nothing.
        int order = kind.compareTo(other.kind);
        order = order == 0 ? namespace.compareTo(other.namespace) : order;
        return order == 0 ? name.compareTo(other.name) : order;
    }

    /** {@code Service shop/web}. What follows a colon in the name of a slice, which the daemon then made itself, is left out. */
    @Override
    public String toString() {
        int colon = kind == Kind.ENDPOINT_SLICE ? name.indexOf(':') : -1;
        String shown = colon < 0 ? name : name.substring(0, colon);
        return kind + " " + (namespace.isEmpty() ? shown : namespace + "/" + shown);
    }
}
