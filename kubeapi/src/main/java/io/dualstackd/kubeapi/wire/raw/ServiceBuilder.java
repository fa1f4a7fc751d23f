package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds a Service from its stored fields: applies the API server's defaults and drops invalid values. */
final class ServiceBuilder {
    private static final int DEFAULT_AFFINITY_SECONDS = 10_800;
    private static final int MAX_AFFINITY_SECONDS = 86_400;
    private static final int MAX_PORT = 65_535;

    private static final Service.Type[] TYPES = Service.Type.values();
    private static final Service.Policy[] POLICIES = Service.Policy.values();
    private static final Service.IpMode[] MODES = Service.IpMode.values();
    private static final IpFamily[] FAMILIES = IpFamily.values();
    private static final Service.SessionAffinity NO_AFFINITY = new Service.SessionAffinity.None();
    private static final Service.ClusterIp UNSET = new Service.ClusterIp.Unset();
    private static final Service.ClusterIp NONE = new Service.ClusterIp.None();
    private static final Optional<Proto> TCP = Optional.of(Proto.TCP);
    private static final Optional<Proto> UDP = Optional.of(Proto.UDP);
    private static final Optional<Proto> SCTP = Optional.of(Proto.SCTP);

    private final RawService parts;
    private final IgnoredValues ignoredValues;
    private final Service.Type type;

    private final List<Service.Port> ports;
    private final List<PodSelector.Target> targets;
    private Service.ClusterIp clusterIp = UNSET;
    private List<Ip> clusterIps = List.of();
    private List<IpFamily> families = List.of();

    ServiceBuilder(RawService parts, IgnoredValues ignoredValues) {
        this.parts = parts;
        this.ignoredValues = ignoredValues;
        this.type = ignoredValues.word(parts.type, TYPES, Service.Type.CLUSTER_IP, "spec.type");
        this.ports = new ArrayList<>(parts.ports.size());
        this.targets = new ArrayList<>(parts.selector.isEmpty() ? 0 : parts.ports.size());
    }

    Service make() {
        addresses();
        ports();
        return new Service(
                parts.meta.namespace(),
                parts.meta.name(),
                parts.meta.mark(WellKnownLabel.PROXY_NAME),
                type,
                clusterIp,
                clusterIps,
                families,
                ports,
                ignoredValues.unicasts(parts.externalIps, "spec.externalIPs"),
                ingress(),
                ignoredValues.prefixes(parts.sourceRanges, "spec.loadBalancerSourceRanges"),
                affinity(),
                ignoredValues.word(
                        parts.externalPolicy, POLICIES, Service.Policy.CLUSTER, "spec.externalTrafficPolicy"),
                ignoredValues.word(
                        parts.internalPolicy, POLICIES, Service.Policy.CLUSTER, "spec.internalTrafficPolicy"),
                port(parts.healthCheckNodePort, "spec.healthCheckNodePort"),
                selector(),
                parts.meta.created());
    }

    /** Cluster IPs and families, parallel: an invalid value removes its counterpart, too. */
    private void addresses() {
        if (type == Service.Type.EXTERNAL_NAME || parts.clusterIp.isEmpty()) {
            return;
        }
        if (parts.clusterIp.equals("None")) {
            clusterIp = NONE;
            families = families(parts.ipFamilies.size());
            return;
        }
        Optional<Ip> first = ignoredValues.unicast(parts.clusterIp, "spec.clusterIP", -1);
        if (first.isEmpty()) {
            return;
        }
        clusterIp = new Service.ClusterIp.Address(first.get());
        List<String> texts = parts.clusterIps;
        if (texts.isEmpty()) {
            clusterIps = List.of(first.get());
            families = List.of(first.get().family());
            return;
        }
        clusterIps = new ArrayList<>(texts.size());
        families = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            // In every valid object the first one is the one just read.
            Optional<Ip> ip = texts.get(i).equals(parts.clusterIp)
                    ? first
                    : ignoredValues.unicast(texts.get(i), "spec.clusterIPs", i);
            ip.ifPresent(this::clusterIp);
        }
    }

    /** Sets the cluster IP; {@code ipFamilies} is derived from the addresses. */
    private void clusterIp(Ip ip) {
        if (families.contains(ip.family())) {
            ignoredValues.drop("spec.clusterIPs", ip.toString(), "is the second one of " + ip.family());
        } else {
            clusterIps.add(ip);
            families.add(ip.family());
        }
    }

    private List<IpFamily> families(int count) {
        List<IpFamily> read = new ArrayList<>(count);
        for (String text : parts.ipFamilies) {
            for (IpFamily family : FAMILIES) {
                if (family.toString().equals(text) && !read.contains(family)) {
                    read.add(family);
                }
            }
        }
        return read;
    }

    private void ports() {
        Set<String> names = parts.ports.size() > 1 ? new HashSet<>() : Set.of();
        for (int i = 0; i < parts.ports.size(); i++) {
            RawServicePort port = parts.ports.get(i);
            Optional<Proto> protocol = protocol(port.protocol());
            if (protocol.isEmpty()) {
                ignoredValues.drop("spec.ports[" + i + "].protocol", port.protocol(), "is none of TCP, UDP, SCTP");
            } else if (port.port() < 1 || port.port() > MAX_PORT) {
                ignoredValues.drop("spec.ports[" + i + "].port", Integer.toString(port.port()), "must be 1 to 65535");
            } else if (parts.ports.size() > 1 && !names.add(port.name())) {
                ignoredValues.drop("spec.ports[" + i + "].name", port.name(), "is the name of an earlier port");
            } else {
                int nodePort = port(port.nodePort(), "spec.ports.nodePort");
                ports.add(new Service.Port(port.name(), protocol.get(), port.port(), nodePort));
                if (!parts.selector.isEmpty()) {
                    targets.add(target(port));
                }
            }
        }
    }

    private static PodSelector.Target target(RawServicePort port) {
        if (!port.targetName().isEmpty()) {
            return new PodSelector.Target.Named(port.targetName());
        }
        boolean given = port.targetNumber() >= 1 && port.targetNumber() <= MAX_PORT;
        return new PodSelector.Target.Numbered(given ? port.targetNumber() : port.port());
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
            ignoredValues.drop(field, Integer.toString(number), "must be 0 to 65535");
            return 0;
        }
        return number;
    }

    private List<Service.Ingress> ingress() {
        if (parts.ingress.isEmpty()) {
            return List.of();
        }
        List<Service.Ingress> entries = new ArrayList<>(parts.ingress.size());
        for (int i = 0; i < parts.ingress.size(); i++) {
            RawService.Ingress entry = parts.ingress.get(i);
            Service.IpMode mode =
                    ignoredValues.word(entry.mode(), MODES, Service.IpMode.VIP, "status.loadBalancer.ingress.ipMode");
            if (!entry.ip().isEmpty()) {
                ignoredValues
                        .ip(entry.ip(), "status.loadBalancer.ingress", i)
                        .ifPresent(ip -> entries.add(new Service.Ingress(ip, mode)));
            }
        }
        return entries;
    }

    private Service.SessionAffinity affinity() {
        return switch (parts.affinity) {
            case "", "None" -> NO_AFFINITY;
            case "ClientIP" -> new Service.SessionAffinity.ClientIp(Duration.ofSeconds(affinitySeconds()));
            default -> {
                ignoredValues.drop("spec.sessionAffinity", parts.affinity, "is no word we know, read as None");
                yield NO_AFFINITY;
            }
        };
    }

    private int affinitySeconds() {
        int seconds = parts.affinitySeconds;
        if (seconds < 0 || seconds > MAX_AFFINITY_SECONDS) {
            ignoredValues.drop(
                    "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
                    Integer.toString(seconds),
                    "must be 1 to " + MAX_AFFINITY_SECONDS + ", read as " + DEFAULT_AFFINITY_SECONDS);
            return DEFAULT_AFFINITY_SECONDS;
        }
        return seconds == 0 ? DEFAULT_AFFINITY_SECONDS : seconds;
    }

    private Optional<PodSelector> selector() {
        return parts.selector.isEmpty() || type == Service.Type.EXTERNAL_NAME
                ? Optional.empty()
                : Optional.of(new PodSelector(parts.selector, targets, parts.publishNotReady));
    }
}
