package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** {@code spec.ports} of a Service. */
final class ServicePorts {
    static final Set<String> FIELDS = Set.of("name", "protocol", "appProtocol", "port", "targetPort", "nodePort");

    /** An IANA service name (RFC 6335 §5.1). */
    private static final Pattern TARGET_NAME = Pattern.compile("(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*");

    /** A port number of one protocol. */
    private record PortOf(Proto protocol, int port) {}

    private final boolean nodePortsAllowed;
    private final boolean nameRequired;
    private final Map<String, String> names = new HashMap<>();
    private final Map<PortOf, String> ports = new HashMap<>();
    private final Map<PortOf, String> nodePorts = new HashMap<>();

    private ServicePorts(Service.Type type, boolean typeRefused, int count) {
        nodePortsAllowed = typeRefused || type == Service.Type.NODE_PORT || type == Service.Type.LOAD_BALANCER;
        nameRequired = count > 1;
    }

    /** @param typeRefused whether the type is not known, so that nothing that depends on it is checked */
    static List<Service.Port> decode(Field spec, Service.Type type, boolean typeRefused, Service.ClusterIp clusterIp) {
        List<Field> fields = spec.objects("ports");
        boolean mayBeEmpty =
                typeRefused || type == Service.Type.EXTERNAL_NAME || clusterIp instanceof Service.ClusterIp.None;
        if (fields.isEmpty() && spec.field("ports").isEmpty() && !mayBeEmpty) {
            spec.refuseMissing("ports", "at least one port is required");
        }
        ServicePorts decoder = new ServicePorts(type, typeRefused, fields.size());
        List<Service.Port> result = new ArrayList<>();
        for (Field field : fields) {
            result.add(decoder.port(field));
        }
        return result;
    }

    /** The target of each of the ports in a pod; by default the port itself. */
    static List<PodSelector.Target> targets(Field spec, List<Service.Port> ports) {
        List<Field> fields = spec.objects("ports");
        List<PodSelector.Target> targets = new ArrayList<>();
        for (int i = 0; i < ports.size(); i++) {
            targets.add(target(fields.get(i), ports.get(i).port()));
        }
        return targets;
    }

    private static PodSelector.Target target(Field field, int port) {
        Optional<Field> target = field.field("targetPort");
        if (target.filter(t -> t.tree().is(Tree.Type.TEXT)).isPresent()) {
            String name = target.get().raw();
            if (!TARGET_NAME.matcher(name).matches()) {
                target.get().refuse("a port name is 1 to 15 of a-z, 0-9 and \"-\", with a letter among them");
            }
            return new PodSelector.Target.Named(name.intern());
        }
        int number = target.map(t -> t.asNumber(0, 65535))
                .orElse(OptionalInt.empty())
                .orElse(0);
        return new PodSelector.Target.Numbered(number == 0 ? port : number);
    }

    private Service.Port port(Field field) {
        field.unknownBeyond(FIELDS);
        String name = name(field);
        int errors = field.problemCollector().errors();
        Proto protocol = protocol(field);
        boolean protocolKnown = field.problemCollector().errors() == errors;
        if (field.field("port").isEmpty()) {
            field.refuseMissing("port", "required, 1 to 65535");
        }
        int port = field.number("port", 1, 65535).orElse(0);
        int nodePort = field.number("nodePort", 0, 65535).orElse(0);
        if (port != 0 && protocolKnown) {
            unique(ports, new PortOf(protocol, port), field, "port", "the same protocol and port are used by ");
        }
        if (nodePort != 0) {
            if (protocolKnown) {
                unique(
                        nodePorts,
                        new PortOf(protocol, nodePort),
                        field,
                        "nodePort",
                        "the same protocol and node port are used by ");
            }
            if (!nodePortsAllowed) {
                field.field("nodePort").ifPresent(f -> f.refuse("may only be set for type NodePort or LoadBalancer"));
            }
        }
        return new Service.Port(name, protocol, port, nodePort);
    }

    private String name(Field field) {
        String name = field.textOrEmpty("name");
        if (name.isEmpty()) {
            if (nameRequired && field.field("name").map(Field::raw).orElse("").isEmpty()) {
                field.refuseMissing("name", "required when a service has more than one port");
            }
        } else {
            if (!NameRules.LABEL.fits(name)) {
                field.field("name").ifPresent(f -> f.refuse(NameRules.LABEL.text()));
            }
            unique(names, name, field, "name", "the same name is used by ");
        }
        return name;
    }

    private static <K> void unique(Map<K, String> seen, K key, Field owner, String name, String rule) {
        String first = seen.putIfAbsent(key, owner.path());
        if (first != null) {
            owner.field(name).ifPresent(f -> f.refuse(rule + first));
        }
    }

    /** TCP, UDP, SCTP in upper case as the API demands; TCP when absent. */
    static Proto protocol(Field owner) {
        Optional<Field> field = owner.field("protocol");
        String text = field.flatMap(Field::asText).orElse("");
        return switch (text) {
            case "", "TCP" -> Proto.TCP;
            case "UDP" -> Proto.UDP;
            case "SCTP" -> Proto.SCTP;
            default -> {
                field.ifPresent(f -> f.refuse("must be one of TCP, UDP, SCTP"));
                yield Proto.TCP;
            }
        };
    }
}
