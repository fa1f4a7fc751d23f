package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decodes {@code v1/Node}. Most of its fields are not used, so unknown ones are reported only at the top level. */
final class NodeDecoder {
    static final String ZONE_LABEL = "topology.kubernetes.io/zone";

    private static final Set<String> FIELDS = Set.of("apiVersion", "kind", "metadata", "spec", "status");

    private NodeDecoder() {}

    /** Always returns an object; it is valid only if nothing was refused. */
    static Node decode(ObjectHeader objectHeader, Field object) {
        object.unknownBeyond(FIELDS);
        Optional<Field> spec = object.object("spec");
        return new Node(
                objectHeader.key().name(),
                objectHeader.label(ZONE_LABEL).orElse(""),
                spec.map(NodeDecoder::podCidrs).orElse(List.of()),
                object.object("status").map(NodeDecoder::addresses).orElse(List.of()),
                spec.map(NodeDecoder::taints).orElse(List.of()),
                objectHeader.metadata().field("deletionTimestamp").isPresent());
    }

    /** Reads {@code podCIDRs}, or {@code podCIDR} when only the old field is present. */
    private static List<IpPrefix> podCidrs(Field spec) {
        List<Field> fields = spec.texts("podCIDRs");
        if (fields.isEmpty()) {
            fields = spec.field("podCIDR").stream().toList();
        }
        List<IpPrefix> networks =
                fields.stream().flatMap(f -> AddressFields.prefix(f).stream()).toList();
        if (networks.size() > networks.stream().map(IpPrefix::family).distinct().count()) {
            spec.field("podCIDRs").ifPresent(field -> field.refuse(Node.POD_CIDRS_RULE));
        }
        return networks;
    }

    private static List<Node.Address> addresses(Field status) {
        List<Node.Address> addresses = new ArrayList<>();
        for (Field entry : status.objects("addresses")) {
            String type = entry.textOrEmpty("type");
            boolean isIp = type.equals("InternalIP") || type.equals("ExternalIP");
            if (isIp) {
                entry.field("address")
                        .flatMap(AddressFields::ip)
                        .ifPresent(ip -> addresses.add(new Node.Address(type, ip)));
            }
        }
        return addresses;
    }

    private static List<String> taints(Field spec) {
        return spec.objects("taints").stream().map(t -> t.textOrEmpty("key")).toList();
    }
}
