package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Suggestion;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The fields that all objects begin with: {@code apiVersion}, {@code kind}, {@code metadata}.
 *
 * @param key without a name when its name or namespace cannot be read, which was refused
 * @param metadata the field {@code metadata}
 * @param mistyped why its kind cannot be used as it is written; the one in the key is only probable then
 */
record ObjectHeader(ObjectKey key, Field metadata, Optional<String> mistyped) {
    static final String NOT_USED = "this kind is not used here";

    private static final Set<String> METADATA_FIELDS =
            Set.of(("name namespace labels annotations uid resourceVersion generation generateName "
                            + "creationTimestamp deletionTimestamp deletionGracePeriodSeconds finalizers ownerReferences "
                            + "managedFields selfLink")
                    .split(" ", -1));

    /** With the earlier versions of ServiceCIDR and IPAddress, which only the field of the networks differs in. */
    private static final Map<String, ObjectKey.Kind> KINDS = Map.of(
            "v1 Service", ObjectKey.Kind.SERVICE,
            "discovery.k8s.io/v1 EndpointSlice", ObjectKey.Kind.ENDPOINT_SLICE,
            "v1 Endpoints", ObjectKey.Kind.ENDPOINTS,
            "v1 Node", ObjectKey.Kind.NODE,
            "networking.k8s.io/v1 ServiceCIDR", ObjectKey.Kind.SERVICE_CIDR,
            "networking.k8s.io/v1beta1 ServiceCIDR", ObjectKey.Kind.SERVICE_CIDR,
            "networking.k8s.io/v1alpha1 ServiceCIDR", ObjectKey.Kind.SERVICE_CIDR,
            "networking.k8s.io/v1 IPAddress", ObjectKey.Kind.IP_ADDRESS,
            "networking.k8s.io/v1beta1 IPAddress", ObjectKey.Kind.IP_ADDRESS,
            "networking.k8s.io/v1alpha1 IPAddress", ObjectKey.Kind.IP_ADDRESS);

    /**
     * Returns empty when the object is not used, with a warning, or its kind cannot be read, with an error.
     *
     * @param defaultNamespace of an object that names none
     */
    static Optional<ObjectHeader> read(Field object, Dialect dialect, String defaultNamespace) {
        if (!object.isObject()) {
            return Optional.empty();
        }
        Optional<String> version = required(object, "apiVersion");
        Optional<String> kindName = required(object, "kind");
        if (version.isEmpty() || kindName.isEmpty()) {
            return Optional.empty();
        }
        String name = version.get() + " " + kindName.get();
        Optional<ObjectKey.Kind> known = Optional.ofNullable(KINDS.get(name));
        Optional<ObjectKey.Kind> kind =
                known.or(() -> likely(version.get(), kindName.get())).filter(used -> counts(used, dialect));
        if (kind.isEmpty()) {
            String rule = NOT_USED + ", ignored" + (known.isEmpty() ? suggestion(kindName.get()) : "");
            object.problemCollector().warn(object.tree().line(), object.path(), name, rule);
            return Optional.empty();
        }
        Optional<String> mistyped =
                known.isPresent() ? Optional.empty() : Optional.of(NOT_USED + suggestion(kindName.get()));
        Optional<Field> metadata = object.field("metadata");
        if (metadata.isEmpty()) {
            object.refuseMissing("metadata", "required: an object needs a name");
        }
        Field fields = metadata.filter(Field::isObject)
                .orElseGet(() -> new Field(Tree.object(), "metadata", object.problemCollector()));
        ObjectKey key = metadata.isEmpty() || !(metadata.get().tree() instanceof Tree.Mapping)
                ? new ObjectKey(kind.get(), "", "")
                : key(kind.get(), fields, defaultNamespace);
        return Optional.of(new ObjectHeader(key, fields, mistyped));
    }

    /**
     * The kind that was certainly meant: its name differs by a letter at most, and it is not that of another group, which may have a kind of
     * that name.
     */
    private static Optional<ObjectKey.Kind> likely(String version, String kindName) {
        String group = group(version);
        return Stream.of(ObjectKey.Kind.values())
                .filter(kind -> Suggestion.differByALetter(kindName, kind.toString()))
                .filter(kind -> {
                    String right = group(kind.apiVersion());
                    return group.isEmpty() || (!right.isEmpty() && Suggestion.differByALetter(group, right));
                })
                .findFirst();
    }

    /** The group of a version; the kinds without one are Kubernetes' own. */
    static String group(String version) {
        return version.substring(0, Math.max(0, version.indexOf('/')));
    }

    /** The kind that was meant: the same one of another version, or one that differs by a letter. */
    private static String suggestion(String kindName) {
        return KINDS.keySet().stream()
                .filter(known -> !known.contains("beta") && !known.contains("alpha"))
                .filter(known -> Suggestion.differByALetter(kindName, known.substring(known.indexOf(' ') + 1)))
                .findFirst()
                .map(known -> "; did you mean " + known + "?")
                .orElse("");
    }

    /** Whether the object can be identified. */
    boolean isNamed() {
        return !key.name().isEmpty();
    }

    private static ObjectKey key(ObjectKey.Kind kind, Field metadata, String defaultNamespace) {
        metadata.unknownBeyond(METADATA_FIELDS);
        Optional<Field> nameField = metadata.field("name");
        if (nameField.isEmpty()) {
            metadata.refuseMissing("name", "required");
        }
        Optional<String> name = nameField.flatMap(Field::asText);
        name.flatMap(given -> refuse(kind, given))
                .ifPresent(rule -> nameField.get().refuse(rule));
        Optional<String> namespace = kind.namespaced() ? namespace(metadata, defaultNamespace) : Optional.of("");
        // Without a namespace that can be read, it may be any object of that name.
        return namespace
                .map(known -> new ObjectKey(kind, known.intern(), name.orElse("")))
                .orElseGet(() -> new ObjectKey(kind, "", ""));
    }

    /** IPAddress objects matter only to allocators of addresses. */
    private static boolean counts(ObjectKey.Kind kind, Dialect dialect) {
        return kind != ObjectKey.Kind.IP_ADDRESS || dialect == Dialect.WRITTEN;
    }

    /** Why an object of this kind cannot have this name; empty when it can. */
    private static Optional<String> refuse(ObjectKey.Kind kind, String name) {
        return switch (kind) {
            case IP_ADDRESS -> IpAddressDecoder.refuse(name);
            case SERVICE -> NameRules.LABEL.refuse(name);
            case ENDPOINT_SLICE, ENDPOINTS, NODE, SERVICE_CIDR -> NameRules.SUBDOMAIN.refuse(name);
        };
    }

    /** Returns empty when the namespace is not a text, which is refused. */
    private static Optional<String> namespace(Field metadata, String defaultNamespace) {
        Optional<Field> field = metadata.field("namespace");
        Optional<String> text = field.isPresent() ? field.get().asText() : Optional.of("");
        Optional<String> namespace = text.map(given -> given.isEmpty() ? defaultNamespace : given);
        if (namespace.filter(given -> !NameRules.LABEL.fits(given)).isPresent()) {
            field.orElse(metadata).refuse(NameRules.LABEL.text());
        }
        return namespace;
    }

    private static Optional<String> required(Field object, String name) {
        if (object.field(name).isEmpty()) {
            object.refuseMissing(name, "required");
        }
        return object.text(name);
    }

    /** The value of a label, if present. */
    Optional<String> label(String name) {
        return metadata.object("labels").flatMap(labels -> labels.text(name));
    }

    /** Whether the label is present, whatever its value. */
    boolean hasLabel(String name) {
        return metadata.object("labels")
                .filter(labels -> labels.tree() instanceof Tree.Mapping mapping
                        && mapping.entries().containsKey(name))
                .isPresent();
    }

    /** The value of an annotation, with its place, if present. */
    Optional<Field> annotation(String name) {
        return metadata.object("annotations").flatMap(annotations -> annotations.field(name));
    }
}
