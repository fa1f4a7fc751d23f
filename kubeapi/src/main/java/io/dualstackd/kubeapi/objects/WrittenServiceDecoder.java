package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decodes a {@code v1/Service} as written: checks that each value has the type of its field, as an API server does before it
 * validates. The values themselves are not checked here.
 */
final class WrittenServiceDecoder {
    private static final Set<String> SPEC_TEXTS =
            Set.of(("type clusterIP ipFamilyPolicy externalName externalTrafficPolicy internalTrafficPolicy "
                            + "sessionAffinity loadBalancerIP loadBalancerClass trafficDistribution")
                    .split(" ", -1));
    private static final Set<String> SPEC_LISTS =
            Set.of("clusterIPs", "ipFamilies", "externalIPs", "loadBalancerSourceRanges");
    private static final Set<String> SPEC_TRUTHS = Set.of("allocateLoadBalancerNodePorts", "publishNotReadyAddresses");

    private WrittenServiceDecoder() {}

    /** Always returns an object; it is valid only if nothing was refused. */
    static WrittenService decode(ObjectHeader objectHeader, Field object) {
        object.unknownBeyond(ServiceDecoder.FIELDS);
        if (object.field("spec").isEmpty()) {
            object.refuseMissing("spec", "required");
        }
        texts(objectHeader.metadata().object("labels"));
        texts(objectHeader.metadata().object("annotations"));
        object.object("spec").ifPresent(WrittenServiceDecoder::spec);
        ServiceDecoder.ingresses(object).forEach(WrittenServiceDecoder::ingress);
        Tree.Mapping tree = object.tree() instanceof Tree.Mapping mapping
                ? mapping
                : new Tree.Mapping(Map.of(), object.tree().line());
        return new WrittenService(objectHeader.key(), placed(tree, objectHeader));
    }

    /** The object with the namespace that it does not name. */
    private static Tree.Mapping placed(Tree.Mapping tree, ObjectHeader objectHeader) {
        String namespace = objectHeader.key().namespace();
        return objectHeader.isNamed()
                        && !namespace.equals("default")
                        && objectHeader
                                .metadata()
                                .field("namespace")
                                .map(Field::raw)
                                .orElse("")
                                .isEmpty()
                        && objectHeader.metadata().tree() instanceof Tree.Mapping metadata
                ? tree.with("metadata", metadata.with("namespace", namespace))
                : tree;
    }

    private static void spec(Field spec) {
        spec.unknownBeyond(ServiceDecoder.SPEC_FIELDS);
        SPEC_TEXTS.forEach(spec::text);
        SPEC_LISTS.forEach(spec::texts);
        SPEC_TRUTHS.forEach(spec::bool);
        texts(spec.object("selector"));
        whole(spec, "healthCheckNodePort");
        ServiceDecoder.affinityConfig(spec).ifPresent(client -> whole(client, "timeoutSeconds"));
        spec.objects("ports").forEach(WrittenServiceDecoder::port);
    }

    private static void port(Field port) {
        port.unknownBeyond(ServicePorts.FIELDS);
        port.text("name");
        port.text("protocol");
        port.text("appProtocol");
        whole(port, "port");
        whole(port, "nodePort");
        port.field("targetPort")
                .filter(target -> !target.tree().is(Tree.Type.TEXT))
                .ifPresent(target -> target.asNumber(Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    private static void ingress(Field entry) {
        entry.text("ip");
        entry.text("hostname");
        entry.text("ipMode");
    }

    private static void whole(Field owner, String name) {
        owner.number(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** Checks that every value is a text, as in labels. */
    private static void texts(Optional<Field> owner) {
        if (owner.isPresent() && owner.get().tree() instanceof Tree.Mapping mapping) {
            mapping.entries().keySet().forEach(owner.get()::text);
        }
    }
}
