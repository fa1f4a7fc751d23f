package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code v1 Endpoints}: defaults and validation of the API server. */
final class EndpointsDecoder {
    /** The label that forbids mirroring when it is {@code true}. */
    private static final String SKIP_LABEL = "endpointslice.kubernetes.io/skip-mirror";

    /** The annotation of an object that is the lock of a leader election. */
    private static final String LEADER_ANNOTATION = "control-plane.alpha.kubernetes.io/leader";

    private static final Set<String> FIELDS = Set.of("apiVersion", "kind", "metadata", "subsets");
    private static final Set<String> SUBSET_FIELDS = Set.of("addresses", "notReadyAddresses", "ports");
    private static final Set<String> ADDRESS_FIELDS = Set.of("ip", "hostname", "nodeName", "targetRef");

    private EndpointsDecoder() {}

    /** Always returns an object; it is valid only if nothing was refused. */
    static Endpoints decode(ObjectHeader objectHeader, Field object) {
        object.unknownBeyond(FIELDS);
        boolean skipped = objectHeader.label(SKIP_LABEL).filter("true"::equals).isPresent()
                || objectHeader.annotation(LEADER_ANNOTATION).isPresent();
        return new Endpoints(
                objectHeader.key().namespace(),
                objectHeader.key().name(),
                !skipped,
                objectHeader.hasLabel(SliceDecoder.HEADLESS_LABEL),
                object.objects("subsets").stream().map(EndpointsDecoder::subset).toList(),
                objectHeader.annotation(SliceDecoder.TRIGGER_ANNOTATION).flatMap(SliceDecoder::time));
    }

    private static Endpoints.Subset subset(Field subset) {
        subset.unknownBeyond(SUBSET_FIELDS);
        List<Field> ready = subset.objects("addresses");
        List<Field> notReady = subset.objects("notReadyAddresses");
        if (ready.isEmpty() && notReady.isEmpty()) {
            subset.refuseMissing("addresses", "required: addresses or notReadyAddresses");
        }
        return new Endpoints.Subset(addresses(ready), addresses(notReady), SliceDecoder.ports(subset, true));
    }

    private static List<Endpoints.Address> addresses(List<Field> fields) {
        List<Endpoints.Address> addresses = new ArrayList<>(fields.size());
        for (Field field : fields) {
            field.unknownBeyond(ADDRESS_FIELDS);
            if (field.field("ip").isEmpty()) {
                field.refuseMissing("ip", "required");
            }
            String node = field.textOrEmpty("nodeName").intern();
            String hostname = SliceDecoder.hostname(field);
            field.field("ip")
                    .flatMap(AddressFields::unicastIp)
                    .ifPresent(ip -> addresses.add(new Endpoints.Address(ip, node, hostname)));
        }
        return addresses;
    }
}
