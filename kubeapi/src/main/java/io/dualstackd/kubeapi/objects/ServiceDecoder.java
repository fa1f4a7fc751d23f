package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.EnumField;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Timestamps;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Decodes {@code v1/Service}: defaults and validation of the API server, for the fields that matter to a proxy. */
final class ServiceDecoder {

    static final Set<String> FIELDS = Set.of("apiVersion", "kind", "metadata", "spec", "status");

    static final Set<String> SPEC_FIELDS =
            Set.of(("type clusterIP clusterIPs ipFamilies ipFamilyPolicy ports selector externalIPs externalName "
                            + "externalTrafficPolicy internalTrafficPolicy healthCheckNodePort sessionAffinity "
                            + "sessionAffinityConfig loadBalancerIP loadBalancerClass loadBalancerSourceRanges "
                            + "allocateLoadBalancerNodePorts publishNotReadyAddresses trafficDistribution")
                    .split(" ", -1));

    private static final Set<String> STATUS_FIELDS = Set.of("loadBalancer", "conditions");
    private static final Set<String> INGRESS_FIELDS = Set.of("ip", "hostname", "ipMode", "ports");

    private static final int DEFAULT_AFFINITY_SECONDS = 10_800;
    private static final int MAX_AFFINITY_SECONDS = 86_400;

    private enum AffinityWord {
        NONE("None"),
        CLIENT_IP("ClientIP");

        private final String label;

        AffinityWord(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    private final ObjectHeader objectHeader;
    private final Field spec;
    private final Service.Type type;
    /** Whether the type is not one that there is: what depends on it is not checked. */
    private final boolean typeRefused;

    private ServiceDecoder(ObjectHeader objectHeader, Field spec) {
        this.objectHeader = objectHeader;
        this.spec = spec;
        Optional<Service.Type> known = EnumField.of(spec, "type", Service.Type.class);
        type = known.orElse(Service.Type.CLUSTER_IP);
        typeRefused = isRefused(spec, "type", known);
    }

    /** Whether a field is there whose value is none that it may have. */
    private static boolean isRefused(Field owner, String name, Optional<?> read) {
        return read.isEmpty()
                && owner.field(name)
                        .filter(field ->
                                !field.tree().is(Tree.Type.TEXT) || !field.raw().isEmpty())
                        .isPresent();
    }

    /** Always returns an object; it is valid only if nothing was refused. */
    static Service decode(ObjectHeader objectHeader, Field object) {
        object.unknownBeyond(FIELDS);
        Optional<Field> spec = object.object("spec");
        if (spec.isEmpty() && object.field("spec").isEmpty()) {
            object.refuseMissing("spec", "required");
        }
        return spec.isEmpty()
                ? Service.builder(
                                objectHeader.key().namespace(),
                                objectHeader.key().name())
                        .build()
                : new ServiceDecoder(objectHeader, spec.get()).decode(object);
    }

    private Service decode(Field object) {
        spec.unknownBeyond(SPEC_FIELDS);
        ServiceIps ips = ServiceIps.decode(spec, type, typeRefused);
        List<Service.Port> ports = ServicePorts.decode(spec, type, typeRefused, ips.clusterIp());
        List<Ip> externalIps = externalIps();
        Service.Policy external = externalPolicy(namesExternalIps());
        return Service.builder(
                        objectHeader.key().namespace(), objectHeader.key().name())
                .proxyName(objectHeader.label(Service.PROXY_NAME_LABEL))
                .type(type)
                .clusterIps(ips.clusterIp(), ips.clusterIps(), ips.families())
                .ports(ports)
                .externalIps(externalIps)
                .ingress(ingress(object))
                .loadBalancerSourceRanges(sourceRanges())
                .sessionAffinity(affinity())
                .externalTrafficPolicy(external)
                .internalTrafficPolicy(EnumField.of(spec, "internalTrafficPolicy", Service.Policy.class)
                        .orElse(Service.Policy.CLUSTER))
                .healthCheckNodePort(healthCheckNodePort(external))
                .selector(selector(ports))
                .externalName(externalName())
                .publishNotReadyAddresses(publishNotReadyAddresses())
                .created(Timestamps.seconds(objectHeader.metadata().textOrEmpty("creationTimestamp")))
                .build();
    }

    private Optional<PodSelector> selector(List<Service.Port> ports) {
        Map<String, String> labels = new TreeMap<>();
        spec.object("selector").ifPresent(selector -> {
            if (selector.tree() instanceof Tree.Mapping mapping) {
                mapping.entries()
                        .keySet()
                        .forEach(label -> labels.put(
                                label.intern(), selector.textOrEmpty(label).intern()));
            }
        });
        return labels.isEmpty() || type == Service.Type.EXTERNAL_NAME
                ? Optional.empty()
                : Optional.of(new PodSelector(labels, ServicePorts.targets(spec, ports), publishNotReadyAddresses()));
    }

    private boolean publishNotReadyAddresses() {
        return spec.bool("publishNotReadyAddresses").orElse(false);
    }

    private String externalName() {
        if (type != Service.Type.EXTERNAL_NAME) {
            return "";
        }
        String name = spec.textOrEmpty("externalName");
        String withoutDot = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (name.isEmpty()) {
            spec.refuseMissing("externalName", "required for type ExternalName");
        } else if (!NameRules.SUBDOMAIN.fits(withoutDot)) {
            spec.field("externalName")
                    .ifPresent(f -> f.refuse(NameRules.SUBDOMAIN.text() + "; a \".\" at its end is allowed"));
        }
        return name;
    }

    private List<Ip> externalIps() {
        return spec.texts("externalIPs").stream()
                .flatMap(f -> AddressFields.unicastIp(f).stream())
                .toList();
    }

    /** Whether there are external IPs. Entries that are not addresses count, too: they are a separate error. */
    private boolean namesExternalIps() {
        return spec.field("externalIPs")
                .filter(f ->
                        f.tree() instanceof Tree.Sequence list && !list.items().isEmpty())
                .isPresent();
    }

    private boolean policyRefused;

    private Service.Policy externalPolicy(boolean hasExternalIps) {
        Optional<Service.Policy> policy = EnumField.of(spec, "externalTrafficPolicy", Service.Policy.class);
        boolean external = type == Service.Type.NODE_PORT
                || type == Service.Type.LOAD_BALANCER
                || (type == Service.Type.CLUSTER_IP && hasExternalIps);
        if (policy.isPresent() && !external && !typeRefused) {
            spec.field("externalTrafficPolicy")
                    .ifPresent(f -> f.refuse(
                            "may only be set for type NodePort or LoadBalancer, or for ClusterIP with externalIPs"));
        }
        policyRefused = isRefused(spec, "externalTrafficPolicy", policy);
        return policy.orElse(Service.Policy.CLUSTER);
    }

    private int healthCheckNodePort(Service.Policy external) {
        int port = spec.number("healthCheckNodePort", 0, 65535).orElse(0);
        boolean balancer = typeRefused || type == Service.Type.LOAD_BALANCER;
        if (port != 0 && !(balancer && (policyRefused || external == Service.Policy.LOCAL))) {
            spec.field("healthCheckNodePort")
                    .ifPresent(f -> f.refuse("may only be set for type LoadBalancer with externalTrafficPolicy Local"));
        }
        return port;
    }

    private List<IpPrefix> sourceRanges() {
        Optional<Field> field = spec.field("loadBalancerSourceRanges");
        List<Field> ranges = spec.texts("loadBalancerSourceRanges");
        if (!ranges.isEmpty() && type != Service.Type.LOAD_BALANCER && !typeRefused) {
            field.ifPresent(f -> f.refuse("may only be set for type LoadBalancer"));
        }
        return ranges.stream().flatMap(f -> AddressFields.prefix(f).stream()).toList();
    }

    private Service.SessionAffinity affinity() {
        Optional<AffinityWord> word = EnumField.of(spec, "sessionAffinity", AffinityWord.class);
        Optional<Field> client = affinityConfig(spec);
        return switch (word.orElse(AffinityWord.NONE)) {
            case NONE -> {
                spec.field("sessionAffinityConfig")
                        .filter(f -> f.tree() instanceof Tree.Mapping && !isRefused(spec, "sessionAffinity", word))
                        .ifPresent(f -> f.refuse("may only be set with sessionAffinity ClientIP"));
                yield new Service.SessionAffinity.None();
            }
            case CLIENT_IP -> {
                int seconds = client.map(f -> f.number("timeoutSeconds", 1, MAX_AFFINITY_SECONDS)
                                .orElse(DEFAULT_AFFINITY_SECONDS))
                        .orElse(DEFAULT_AFFINITY_SECONDS);
                yield new Service.SessionAffinity.ClientIp(Duration.ofSeconds(seconds));
            }
        };
    }

    /** The object {@code sessionAffinityConfig.clientIP}. */
    static Optional<Field> affinityConfig(Field spec) {
        Optional<Field> config = spec.object("sessionAffinityConfig");
        config.ifPresent(f -> f.unknownBeyond(Set.of("clientIP")));
        Optional<Field> client = config.flatMap(f -> f.object("clientIP"));
        client.ifPresent(f -> f.unknownBeyond(Set.of("timeoutSeconds")));
        return client;
    }

    /** The list {@code status.loadBalancer.ingress}. */
    static List<Field> ingresses(Field object) {
        Optional<Field> status = object.object("status");
        status.ifPresent(f -> f.unknownBeyond(STATUS_FIELDS));
        Optional<Field> balancer = status.flatMap(f -> f.object("loadBalancer"));
        balancer.ifPresent(f -> f.unknownBeyond(Set.of("ingress")));
        List<Field> entries = balancer.map(f -> f.objects("ingress")).orElse(List.of());
        entries.forEach(f -> f.unknownBeyond(INGRESS_FIELDS));
        return entries;
    }

    private static List<Service.Ingress> ingress(Field object) {
        List<Service.Ingress> entries = new ArrayList<>();
        List<Field> fields = ingresses(object);
        for (Field entry : fields) {
            Optional<Field> ip = entry.field("ip").filter(f -> !f.raw().isEmpty());
            Optional<Service.IpMode> mode = EnumField.of(entry, "ipMode", Service.IpMode.class);
            if (ip.isPresent()) {
                AddressFields.ip(ip.get())
                        .ifPresent(a -> entries.add(new Service.Ingress(a, mode.orElse(Service.IpMode.VIP))));
            } else if (mode.isPresent()) {
                entry.field("ipMode").ifPresent(f -> f.refuse("may only be set together with ip"));
            }
        }
        return entries;
    }
}
