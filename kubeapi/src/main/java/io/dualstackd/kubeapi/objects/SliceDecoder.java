package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.EnumField;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@code discovery.k8s.io/v1 EndpointSlice}: defaults and validation of the API server. */
final class SliceDecoder {
    static final String SERVICE_LABEL = "kubernetes.io/service-name";
    static final String HEADLESS_LABEL = "service.kubernetes.io/headless";
    static final String TRIGGER_ANNOTATION = "endpoints.kubernetes.io/last-change-trigger-time";

    private static final int MAX_ENDPOINTS = 1_000;
    private static final int MAX_ADDRESSES = 100;
    private static final int MAX_HINTS = 8;

    private static final Set<String> FIELDS =
            Set.of("apiVersion", "kind", "metadata", "addressType", "endpoints", "ports");
    private static final Set<String> PORT_FIELDS = Set.of("name", "protocol", "port", "appProtocol");
    private static final Set<String> ENDPOINT_FIELDS = Set.of(
            "addresses", "conditions", "hints", "hostname", "nodeName", "zone", "targetRef", "deprecatedTopology");
    private static final Set<String> CONDITION_FIELDS = Set.of("ready", "serving", "terminating");
    private static final Set<String> HINT_FIELDS = Set.of("forZones", "forNodes");

    private final EndpointSlice.AddressType addressType;

    private SliceDecoder(EndpointSlice.AddressType addressType) {
        this.addressType = addressType;
    }

    /** Always returns an object; it is valid only if nothing was refused. */
    static EndpointSlice decode(ObjectHeader objectHeader, Field object) {
        object.unknownBeyond(FIELDS);
        Optional<String> service = objectHeader.label(SERVICE_LABEL).filter(s -> !s.isEmpty());
        if (service.isEmpty()) {
            objectHeader.metadata().warn("no label " + SERVICE_LABEL + ", so the slice belongs to no service");
        }
        EndpointSlice.AddressType type = addressType(object);
        return new EndpointSlice(
                objectHeader.key().namespace(),
                objectHeader.key().name(),
                service,
                objectHeader.hasLabel(HEADLESS_LABEL),
                type,
                ports(object, false),
                new SliceDecoder(type).endpoints(object),
                objectHeader.annotation(TRIGGER_ANNOTATION).flatMap(SliceDecoder::time));
    }

    private static EndpointSlice.AddressType addressType(Field object) {
        if (object.field("addressType").isEmpty()) {
            object.refuseMissing("addressType", "required: IPv4, IPv6 or FQDN");
        }
        return EnumField.of(object, "addressType", EndpointSlice.AddressType.class)
                .orElse(EndpointSlice.AddressType.FQDN);
    }

    /**
     * The list {@code ports} of a slice, or of a subset of Endpoints.
     *
     * @param numbered whether each must have a number
     */
    static List<EndpointSlice.Port> ports(Field object, boolean numbered) {
        List<EndpointSlice.Port> ports = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Field field : object.objects("ports")) {
            field.unknownBeyond(PORT_FIELDS);
            String name = field.textOrEmpty("name");
            if (!name.isEmpty() && !NameRules.LABEL.fits(name)) {
                field.field("name").ifPresent(f -> f.refuse(NameRules.LABEL.text()));
            }
            if (!names.add(name)) {
                field.refuse("another port of this list has the same name \"" + name + "\"");
            }
            Proto protocol = ServicePorts.protocol(field);
            OptionalInt port = field.number("port", numbered ? 1 : 0, 65535);
            boolean isGiven = field.field("port").isPresent();
            if (numbered && !isGiven) {
                field.refuseMissing("port", "required: 1 to 65535");
            } else if (!isGiven || port.equals(OptionalInt.of(0))) {
                field.warn("a port without number, or with number 0, is of no use to a proxy, ignored");
            }
            ports.add(new EndpointSlice.Port(Optional.of(share(name)), protocol, port));
        }
        return ports;
    }

    private List<EndpointSlice.Endpoint> endpoints(Field object) {
        List<Field> fields = object.objects("endpoints");
        if (fields.size() > MAX_ENDPOINTS) {
            object.field("endpoints")
                    .ifPresent(f -> f.refuse("a slice may have at most " + MAX_ENDPOINTS + " endpoints, this one has "
                            + fields.size() + "; use several slices"));
            return List.of();
        }
        List<EndpointSlice.Endpoint> endpoints = new ArrayList<>();
        for (Field field : fields) {
            endpoint(field).ifPresent(endpoints::add);
        }
        return endpoints;
    }

    private Optional<EndpointSlice.Endpoint> endpoint(Field field) {
        field.unknownBeyond(ENDPOINT_FIELDS);
        int errors = field.problemCollector().errors();
        List<Field> texts = field.texts("addresses");
        if (field.problemCollector().errors() > errors) {
            return Optional.empty();
        }
        if (texts.isEmpty() || texts.size() > MAX_ADDRESSES) {
            field.refuseMissing("addresses", "must be 1 to " + MAX_ADDRESSES + " addresses");
            return Optional.empty();
        }
        Optional<Field> conditions = field.object("conditions");
        conditions.ifPresent(f -> f.unknownBeyond(CONDITION_FIELDS));
        Optional<Field> hints = field.object("hints");
        hints.ifPresent(f -> f.unknownBeyond(HINT_FIELDS));
        Set<String> zones = hints.map(f -> names(f, "forZones")).orElse(Set.of());
        Set<String> nodes = hints.map(f -> names(f, "forNodes")).orElse(Set.of());
        String node = share(field.textOrEmpty("nodeName"));
        String hostname = hostname(field);
        List<Ip> addresses = addresses(texts);
        if (addresses.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new EndpointSlice.Endpoint(
                addresses.getFirst(),
                conditions.map(SliceDecoder::conditions).orElse(EndpointSlice.Conditions.NONE),
                node,
                zones,
                nodes,
                hostname));
    }

    /** The hostname of an endpoint, or of an address of an {@code Endpoints}. */
    static String hostname(Field endpoint) {
        String name = endpoint.textOrEmpty("hostname");
        if (!name.isEmpty() && !NameRules.LABEL.fits(name)) {
            endpoint.field("hostname").ifPresent(f -> f.refuse(NameRules.LABEL.text()));
        }
        return name;
    }

    private List<Ip> addresses(List<Field> texts) {
        return switch (addressType) {
            case FQDN -> List.of();
            case IPV4 -> addresses(texts, IpFamily.IPV4);
            case IPV6 -> addresses(texts, IpFamily.IPV6);
        };
    }

    private static List<Ip> addresses(List<Field> texts, IpFamily family) {
        List<Ip> ips = new ArrayList<>();
        for (Field text : texts) {
            Optional<Ip> ip = AddressFields.unicastIp(text);
            if (ip.isPresent() && ip.get().family() != family) {
                text.refuse("must be " + family + " as addressType says");
            }
            ip.ifPresent(ips::add);
        }
        return ips;
    }

    private static EndpointSlice.Conditions conditions(Field field) {
        return new EndpointSlice.Conditions(field.bool("ready"), field.bool("serving"), field.bool("terminating"));
    }

    private static Set<String> names(Field hints, String list) {
        List<Field> fields = hints.objects(list);
        if (fields.size() > MAX_HINTS) {
            hints.field(list).ifPresent(f -> f.refuse("there may be at most " + MAX_HINTS + " hints"));
        }
        Set<String> names = new HashSet<>();
        for (Field field : fields) {
            String name = field.textOrEmpty("name");
            if (name.isEmpty()) {
                field.refuseMissing("name", "required");
            }
            names.add(share(name));
        }
        return names;
    }

    /** Interns a name: node and zone names repeat in every endpoint of the cluster. */
    private static String share(String name) {
        return name.intern();
    }

    static Optional<Instant> time(Field field) {
        try {
            return Optional.of(Instant.parse(field.raw()));
        } catch (DateTimeParseException e) {
            field.warn("must be a time as 2026-01-02T03:04:05.678Z (RFC 3339), ignored");
            return Optional.empty();
        }
    }
}
