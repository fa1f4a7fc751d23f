package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code networking.k8s.io/v1 ServiceCIDR}: validation of the API server. */
final class ServiceCidrDecoder {
    private static final Set<String> FIELDS = Set.of("apiVersion", "kind", "metadata", "spec", "status");
    private static final Set<String> SPEC_FIELDS = Set.of("cidrs", "ipv4", "ipv6");

    /** The fields of the first alpha version, one for each family. */
    private static final List<String> ALPHA_FIELDS = List.of("ipv4", "ipv6");

    private ServiceCidrDecoder() {}

    /** Always returns an object; it is valid only if nothing was refused. */
    static ServiceCidr decode(ObjectHeader objectHeader, Field object) {
        object.unknownBeyond(FIELDS);
        int errors = object.problemCollector().errors();
        Optional<Field> spec = object.object("spec");
        spec.ifPresent(s -> s.unknownBeyond(SPEC_FIELDS));
        List<Field> texts = spec.map(ServiceCidrDecoder::texts).orElse(List.of());
        List<IpPrefix> cidrs =
                texts.stream().flatMap(text -> canonical(text).stream()).toList();
        if (texts.isEmpty() && object.problemCollector().errors() == errors) {
            spec.orElse(object)
                    .refuseMissing(spec.isPresent() ? "cidrs" : "spec.cidrs", "required: one or two networks");
        } else if (cidrs.size()
                > cidrs.stream().map(IpPrefix::family).distinct().count()) {
            spec.flatMap(s -> s.field("cidrs"))
                    .ifPresent(field -> field.refuse("must be one network, or two of different IP families"));
        }
        return new ServiceCidr(objectHeader.key().name(), cidrs);
    }

    /** The networks; of the alpha form, IPv4 comes first, as it had no order. */
    private static List<Field> texts(Field spec) {
        List<Field> alpha = ALPHA_FIELDS.stream()
                .flatMap(name -> spec.field(name).stream())
                .filter(field -> !field.raw().isEmpty())
                .toList();
        if (alpha.isEmpty()) {
            return spec.texts("cidrs");
        }
        if (spec.field("cidrs").isPresent()) {
            alpha.forEach(field -> field.refuse("must not be given beside spec.cidrs"));
            return spec.texts("cidrs");
        }
        for (Field field : alpha) {
            boolean six = field.path().endsWith("6");
            AddressFields.prefix(field)
                    .filter(network -> (network.family() == IpFamily.IPV6) != six)
                    .ifPresent(network -> field.refuse("must be a network of " + (six ? "IPv6" : "IPv4")));
        }
        return alpha;
    }

    private static Optional<IpPrefix> canonical(Field text) {
        Optional<IpPrefix> network = AddressFields.prefix(text);
        network.filter(n -> !n.toString().equals(text.raw()))
                .ifPresent(n -> text.refuse("must be written in canonical form: " + n));
        return network;
    }
}
