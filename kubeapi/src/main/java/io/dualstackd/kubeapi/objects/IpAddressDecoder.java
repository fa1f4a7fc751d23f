package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.netlink.ip.Ip;
import java.util.Optional;
import java.util.Set;

/** {@code networking.k8s.io/v1 IPAddress}: validation of the API server. */
final class IpAddressDecoder {
    /** The label with the manager of the object. */
    static final String MANAGED_BY_LABEL = "ipaddress.kubernetes.io/managed-by";

    /** The allocator of ClusterIPs. */
    static final String ALLOCATOR = "ipallocator.k8s.io";

    private static final String CANONICAL = "must be an IP address in canonical form";

    private static final Set<String> FIELDS = Set.of("apiVersion", "kind", "metadata", "spec");
    private static final Set<String> SPEC_FIELDS = Set.of("parentRef");
    private static final Set<String> PARENT_FIELDS = Set.of("group", "resource", "namespace", "name", "uid");

    private IpAddressDecoder() {}

    /** Why this is not a valid name for an IPAddress; empty when it is. */
    static Optional<String> refuse(String name) {
        try {
            String canonical = Ip.parse(name).toString();
            return canonical.equals(name) ? Optional.empty() : Optional.of(CANONICAL + ": " + canonical);
        } catch (IllegalArgumentException e) {
            return Optional.of(CANONICAL + ", like 10.96.0.1 or fd00::1");
        }
    }

    /** Empty when something was refused. */
    static Optional<ApiObject> decode(ObjectHeader objectHeader, Field object) {
        object.unknownBeyond(FIELDS);
        Optional<Field> spec = object.object("spec");
        spec.ifPresent(s -> s.unknownBeyond(SPEC_FIELDS));
        Optional<Field> parent = spec.flatMap(s -> s.object("parentRef"));
        if (spec.isEmpty() || (parent.isEmpty() && spec.get().field("parentRef").isEmpty())) {
            spec.orElse(object)
                    .refuseMissing(
                            spec.isPresent() ? "parentRef" : "spec.parentRef",
                            "required: what the address belongs to, with resource and name");
        }
        String name = objectHeader.key().name();
        if (parent.isEmpty() || refuse(name).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new IpAddress(
                Ip.parse(name),
                parent(parent.get()),
                objectHeader.label(MANAGED_BY_LABEL).filter(ALLOCATOR::equals).isPresent()));
    }

    private static IpAddress.Parent parent(Field parent) {
        parent.unknownBeyond(PARENT_FIELDS);
        String group = parent.textOrEmpty("group");
        if (!group.isEmpty() && !NameRules.SUBDOMAIN.fits(group)) {
            parent.field("group").ifPresent(field -> field.refuse(NameRules.SUBDOMAIN.text()));
        }
        String namespace = parent.textOrEmpty("namespace");
        segment(parent, "namespace", namespace);
        return new IpAddress.Parent(
                group, required(parent, "resource"), namespace, required(parent, "name"), parent.textOrEmpty("uid"));
    }

    private static String required(Field parent, String name) {
        String text = parent.textOrEmpty(name);
        if (text.isEmpty() && parent.field(name).map(Field::raw).orElse("").isEmpty()) {
            parent.refuseMissing(name, "required");
        }
        segment(parent, name, text);
        return text;
    }

    /** Segments of an object's URL path must not end it or lead elsewhere. */
    private static void segment(Field parent, String name, String text) {
        if (text.equals(".") || text.equals("..") || text.indexOf('/') >= 0 || text.indexOf('%') >= 0) {
            parent.field(name)
                    .ifPresent(field -> field.refuse("must not be \".\" or \"..\" or contain \"/\" or \"%\""));
        }
    }
}
