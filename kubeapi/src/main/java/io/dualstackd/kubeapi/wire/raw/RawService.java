package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code v1/Service}: applies the API server's defaults and drops invalid values. */
final class RawService extends RawObject {
    private static final Message OBJECT =
            Message.of("Service", "message metadata = 1, message spec = 2, message status = 3");
    private static final Message SPEC = Message.of(
            "ServiceSpec",
            "messages ports = 1, map selector = 2, text clusterIP = 3, text type = 4, texts externalIPs = 5, "
                    + "text sessionAffinity = 7, texts loadBalancerSourceRanges = 9, text externalName = 10, text externalTrafficPolicy = 11, "
                    + "number healthCheckNodePort = 12, bool publishNotReadyAddresses = 13, "
                    + "message sessionAffinityConfig = 14, texts clusterIPs = 18, texts ipFamilies = 19, "
                    + "text internalTrafficPolicy = 22");
    private static final Message AFFINITY_CONFIG = Message.of("SessionAffinityConfig", "message clientIP = 1");
    private static final Message CLIENT_IP_CONFIG = Message.of("ClientIPConfig", "number timeoutSeconds = 1");
    private static final Message STATUS = Message.of("ServiceStatus", "message loadBalancer = 1");
    private static final Message LOAD_BALANCER = Message.of("LoadBalancerStatus", "messages ingress = 1");
    private static final Message INGRESS = Message.of("LoadBalancerIngress", "text ip = 1, text ipMode = 3");

    private static final int DEFAULT_AFFINITY_SECONDS = 10_800;
    private static final int MAX_AFFINITY_SECONDS = 86_400;
    private static final int MAX_PORT = 65_535;

    private static final Service.Type[] TYPES = Service.Type.values();
    private static final Service.Policy[] POLICIES = Service.Policy.values();
    private static final Service.IpMode[] MODES = Service.IpMode.values();
    private static final IpFamily[] FAMILIES = IpFamily.values();
    private static final Service.SessionAffinity NO_AFFINITY = new Service.SessionAffinity.None();
    private static final Service.ClusterIp NONE = new Service.ClusterIp.None();
    private static final Optional<Proto> TCP = Optional.of(Proto.TCP);
    private static final Optional<Proto> UDP = Optional.of(Proto.UDP);
    private static final Optional<Proto> SCTP = Optional.of(Proto.SCTP);

    /** An entry of {@code status.loadBalancer.ingress}. */
    private record RawIngress(String ip, String mode) {}

    private String rawType = "";
    private String rawClusterIp = "";
    private List<String> rawClusterIps = List.of();
    private List<String> ipFamilies = List.of();
    private List<RawServicePort> rawPorts = List.of();
    private Map<String, String> labels = Map.of();
    private List<String> externalIps = List.of();
    private List<String> sourceRanges = List.of();
    private List<RawIngress> rawIngress = List.of();
    private String affinity = "";
    private int affinitySeconds;
    private String externalName = "";
    private String externalPolicy = "";
    private String internalPolicy = "";
    private int healthCheckNodePort;
    private boolean publishNotReady;

    RawService() {
        super(ObjectKey.Kind.SERVICE, OBJECT);
    }

    @Override
    void part(FieldReader in) throws IOException {
        switch (in.field()) {
            case "spec" -> spec(in);
            default -> status(in);
        }
    }

    private void spec(FieldReader in) throws IOException {
        in.enter(SPEC);
        while (in.next()) {
            switch (in.field()) {
                case "ports" -> {
                    rawPorts = rawPorts.isEmpty() ? new ArrayList<>(2) : rawPorts;
                    rawPorts.add(RawServicePort.read(in));
                }
                case "selector" -> {
                    labels = labels.isEmpty() ? new HashMap<>(4) : labels;
                    in.entries(labels);
                }
                case "clusterIP" -> rawClusterIp = in.text();
                case "type" -> rawType = in.name();
                case "externalIPs" -> externalIps = plus(externalIps, in.text());
                case "sessionAffinity" -> affinity = in.name();
                case "loadBalancerSourceRanges" -> sourceRanges = plus(sourceRanges, in.text());
                case "externalName" -> externalName = in.text();
                case "externalTrafficPolicy" -> externalPolicy = in.name();
                case "healthCheckNodePort" -> healthCheckNodePort = in.number();
                case "publishNotReadyAddresses" -> publishNotReady = in.bool();
                case "sessionAffinityConfig" -> affinityConfig(in);
                case "clusterIPs" -> rawClusterIps = plus(rawClusterIps, in.text());
                case "ipFamilies" -> ipFamilies = plus(ipFamilies, in.name());
                default -> internalPolicy = in.name();
            }
        }
    }

    private void affinityConfig(FieldReader in) throws IOException {
        in.enter(AFFINITY_CONFIG);
        while (in.next()) {
            in.enter(CLIENT_IP_CONFIG);
            while (in.next()) {
                affinitySeconds = in.number();
            }
        }
    }

    private void status(FieldReader in) throws IOException {
        in.enter(STATUS);
        while (in.next()) {
            in.enter(LOAD_BALANCER);
            while (in.next()) {
                rawIngress = rawIngress.isEmpty() ? new ArrayList<>(2) : rawIngress;
                rawIngress.add(ingress(in));
            }
        }
    }

    private static RawIngress ingress(FieldReader in) throws IOException {
        String ip = "";
        String mode = "";
        in.enter(INGRESS);
        while (in.next()) {
            switch (in.field()) {
                case "ip" -> ip = in.text();
                default -> mode = in.name();
            }
        }
        return new RawIngress(ip, mode);
    }

    @Override
    public Service build() {
        Service.Type type = ignored.word(rawType, TYPES, Service.Type.CLUSTER_IP, "spec.type");
        Service.Builder service = Service.builder(meta.namespace(), meta.name()).type(type);
        if (type != Service.Type.EXTERNAL_NAME && !rawClusterIp.isEmpty()) {
            addresses(service);
        }
        ports(service, type);
        return service.proxyName(meta.mark(WellKnownLabel.PROXY_NAME))
                .externalIps(ignored.unicasts(externalIps, "spec.externalIPs"))
                .ingress(ingress())
                .loadBalancerSourceRanges(ignored.prefixes(sourceRanges, "spec.loadBalancerSourceRanges"))
                .sessionAffinity(affinity())
                .externalTrafficPolicy(policy(externalPolicy, "spec.externalTrafficPolicy"))
                .internalTrafficPolicy(policy(internalPolicy, "spec.internalTrafficPolicy"))
                .healthCheckNodePort(port(healthCheckNodePort, "spec.healthCheckNodePort"))
                .externalName(type == Service.Type.EXTERNAL_NAME ? externalName : "")
                .publishNotReadyAddresses(publishNotReady)
                .created(meta.created())
                .build();
    }

    private Service.Policy policy(String word, String field) {
        return ignored.word(word, POLICIES, Service.Policy.CLUSTER, field);
    }

    /** Cluster IPs and families, parallel: an invalid value removes its counterpart, too. */
    private void addresses(Service.Builder service) {
        if (rawClusterIp.equals("None")) {
            service.clusterIps(NONE, List.of(), families());
            return;
        }
        Optional<Ip> first = ignored.clusterIp(rawClusterIp, "spec.clusterIP", -1);
        if (first.isEmpty()) {
            return;
        }
        List<String> texts = rawClusterIps.isEmpty() ? List.of(rawClusterIp) : rawClusterIps;
        List<Ip> ips = new ArrayList<>(texts.size());
        List<IpFamily> families = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            // In every valid object the first one is the one just read.
            Optional<Ip> ip =
                    texts.get(i).equals(rawClusterIp) ? first : ignored.clusterIp(texts.get(i), "spec.clusterIPs", i);
            if (ip.isPresent() && families.contains(ip.get().family())) {
                ignored.drop(
                        "spec.clusterIPs",
                        ip.get().toString(),
                        "is the second one of " + ip.get().family());
            } else if (ip.isPresent()) {
                ips.add(ip.get());
                families.add(ip.get().family());
            }
        }
        service.clusterIps(new Service.ClusterIp.Address(first.get()), ips, families);
    }

    private List<IpFamily> families() {
        List<IpFamily> read = new ArrayList<>(ipFamilies.size());
        for (String text : ipFamilies) {
            for (IpFamily family : FAMILIES) {
                if (family.toString().equals(text) && !read.contains(family)) {
                    read.add(family);
                }
            }
        }
        return read;
    }

    private void ports(Service.Builder service, Service.Type type) {
        List<Service.Port> ports = new ArrayList<>(rawPorts.size());
        List<PodSelector.Target> targets = new ArrayList<>(rawPorts.size());
        Set<String> names = rawPorts.size() > 1 ? new HashSet<>() : Set.of();
        for (int i = 0; i < rawPorts.size(); i++) {
            RawServicePort port = rawPorts.get(i);
            Optional<Proto> protocol = protocol(port.protocol());
            if (protocol.isEmpty()) {
                ignored.drop("spec.ports[" + i + "].protocol", port.protocol(), "is none of TCP, UDP, SCTP");
            } else if (port.port() < 1 || port.port() > MAX_PORT) {
                ignored.drop("spec.ports[" + i + "].port", Integer.toString(port.port()), "must be 1 to 65535");
            } else if (rawPorts.size() > 1 && !names.add(port.name())) {
                ignored.drop("spec.ports[" + i + "].name", port.name(), "is the name of an earlier port");
            } else {
                int nodePort = port(port.nodePort(), "spec.ports.nodePort");
                ports.add(new Service.Port(port.name(), protocol.get(), port.port(), nodePort));
                targets.add(target(port));
            }
        }
        service.ports(ports);
        if (!labels.isEmpty() && type != Service.Type.EXTERNAL_NAME) {
            service.selector(Optional.of(new PodSelector(labels, targets, publishNotReady)));
        }
    }

    private static PodSelector.Target target(RawServicePort port) {
        return port.target() instanceof PodSelector.Target.Numbered(int number) && (number < 1 || number > MAX_PORT)
                ? new PodSelector.Target.Numbered(port.port())
                : port.target();
    }

    /** As in the API: upper case, and TCP when absent. */
    static Optional<Proto> protocol(String text) {
        return switch (text) {
            case "", "TCP" -> TCP;
            case "UDP" -> UDP;
            case "SCTP" -> SCTP;
            default -> Optional.empty();
        };
    }

    /** Returns 0 when it is not a port number. */
    private int port(int number, String field) {
        if (number < 0 || number > MAX_PORT) {
            ignored.drop(field, Integer.toString(number), "must be 0 to 65535");
            return 0;
        }
        return number;
    }

    private List<Service.Ingress> ingress() {
        if (rawIngress.isEmpty()) {
            return List.of();
        }
        List<Service.Ingress> entries = new ArrayList<>(rawIngress.size());
        for (int i = 0; i < rawIngress.size(); i++) {
            RawIngress entry = rawIngress.get(i);
            Service.IpMode mode =
                    ignored.word(entry.mode(), MODES, Service.IpMode.VIP, "status.loadBalancer.ingress.ipMode");
            if (!entry.ip().isEmpty()) {
                ignored.ip(entry.ip(), "status.loadBalancer.ingress", i)
                        .ifPresent(ip -> entries.add(new Service.Ingress(ip, mode)));
            }
        }
        return entries;
    }

    private Service.SessionAffinity affinity() {
        return switch (affinity) {
            case "", "None" -> NO_AFFINITY;
            case "ClientIP" -> new Service.SessionAffinity.ClientIp(Duration.ofSeconds(affinitySeconds()));
            default -> {
                ignored.drop("spec.sessionAffinity", affinity, "is no word we know, read as None");
                yield NO_AFFINITY;
            }
        };
    }

    private int affinitySeconds() {
        int seconds = affinitySeconds;
        if (seconds < 0 || seconds > MAX_AFFINITY_SECONDS) {
            ignored.drop(
                    "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
                    Integer.toString(seconds),
                    "must be 1 to " + MAX_AFFINITY_SECONDS + ", read as " + DEFAULT_AFFINITY_SECONDS);
            return DEFAULT_AFFINITY_SECONDS;
        }
        return seconds == 0 ? DEFAULT_AFFINITY_SECONDS : seconds;
    }

    /**
     * An entry of {@code spec.ports} of a Service, as read.
     *
     * @param target number 0 when absent
     */
    private record RawServicePort(String name, String protocol, int port, int nodePort, PodSelector.Target target) {
        private static final Message PORT = Message.of(
                "ServicePort",
                "text name = 1, text protocol = 2, number port = 3, " + "scalar targetPort = 4, number nodePort = 5");
        private static final PodSelector.Target NO_TARGET = new PodSelector.Target.Numbered(0);

        static RawServicePort read(FieldReader in) throws IOException {
            String name = "";
            String protocol = "";
            int port = 0;
            int nodePort = 0;
            PodSelector.Target target = NO_TARGET;
            in.enter(PORT);
            while (in.next()) {
                switch (in.field()) {
                    case "name" -> name = in.name();
                    case "protocol" -> protocol = in.name();
                    case "port" -> port = in.number();
                    case "targetPort" -> target = in.target();
                    default -> nodePort = in.number();
                }
            }
            return new RawServicePort(name, protocol, port, nodePort, target);
        }
    }
}
