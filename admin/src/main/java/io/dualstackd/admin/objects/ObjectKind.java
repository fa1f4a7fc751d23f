package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A kind of object that can be requested, with the names {@code kubectl} uses. */
public enum ObjectKind {
    SERVICES("Service", "v1", true, "services", "service", "svc"),
    ENDPOINT_SLICES("EndpointSlice", "discovery.k8s.io/v1", true, "endpointslices", "endpointslice", "eps"),
    ENDPOINTS("Endpoints", "v1", true, "endpoints", "endpoints", "ep"),
    SERVICE_CIDRS("ServiceCIDR", "networking.k8s.io/v1", false, "servicecidrs", "servicecidr"),
    IP_ADDRESSES("IPAddress", "networking.k8s.io/v1", false, "ipaddresses", "ipaddress", "ip"),
    EVENTS("Event", "v1", true, "events", "event", "ev"),
    PODS("Pod", "v1", true, "pods", "pod", "po"),
    NODES("Node", "v1", false, "nodes", "node", "no");

    private final String label;
    private final String apiVersion;
    private final boolean namespaced;
    /** Immutable, although the type does not show it. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> names;

    ObjectKind(String label, String apiVersion, boolean namespaced, String... names) {
        this.label = label;
        this.apiVersion = apiVersion;
        this.namespaced = namespaced;
        this.names = List.of(names);
    }

    /** The kind with this name, in any case: plural, singular or short, with its group or without. */
    public static Optional<ObjectKind> named(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.names.stream()
                        .anyMatch(known -> name.equalsIgnoreCase(known)
                                || name.equalsIgnoreCase(known + kind.group())
                                || name.equalsIgnoreCase(known + "." + kind.apiVersion)))
                .findFirst();
    }

    /** All plural names, for help texts. */
    public static List<String> plurals() {
        return Stream.of(values()).map(ObjectKind::plural).toList();
    }

    /** The names of three letters and more: one of two is near to any short word, and no suggestion. */
    public static List<String> longNames() {
        return allNames().stream().filter(name -> name.length() > 2).toList();
    }

    /** All names, for completion. */
    public static List<String> allNames() {
        return Stream.of(values()).flatMap(kind -> kind.names.stream()).toList();
    }

    /** The key of an object of this kind; empty for a kind that sources do not have. */
    Optional<ObjectKey> key(String namespace, String name) {
        return Stream.of(ObjectKey.Kind.values())
                .filter(kind -> kind.toString().equals(label))
                .map(kind -> new ObjectKey(kind, namespace, name))
                .findFirst();
    }

    public boolean namespaced() {
        return namespaced;
    }

    String apiVersion() {
        return apiVersion;
    }

    public String plural() {
        return names.getFirst();
    }

    /** With its group, as in {@code service/web} or {@code servicecidr.networking.k8s.io/kubernetes}. */
    public String resource() {
        return names.get(1) + group();
    }

    /** The group with a leading dot; empty for the core group. */
    private String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : "." + apiVersion.substring(0, slash);
    }

    /** As in the field {@code kind}. */
    @Override
    public String toString() {
        return label;
    }
}
