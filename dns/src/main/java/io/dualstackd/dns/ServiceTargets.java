package io.dualstackd.dns;

import io.dualstackd.dns.DnsService.Kind;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.EndpointTarget;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The targets of the names of one Service. */
final class ServiceTargets {
    private static final String ANY = "";

    private static final List<DnsPort> NO_PORTS = List.of(new DnsPort(ANY, Proto.TCP, DnsPort.NONE));

    /** Longer lists of targets are not made for each question. */
    private static final int FEW = 1_000;

    private final DnsService service;
    private final Optional<DnsName> alias;
    /** By label; built when an endpoint's name is first requested. */
    private @Nullable Map<String, List<EndpointTarget>> byLabel;
    /** Long lists, by port and protocol; there are not more of them than ports. */
    private final Map<String, List<EndpointTarget>> many = new HashMap<>(0);

    ServiceTargets(DnsService service) {
        this.service = service;
        this.alias = alias(service.kind());
    }

    private static Optional<DnsName> alias(Kind kind) {
        if (!(kind instanceof Kind.ExternalName(String target)) || isAddress(target)) {
            return Optional.empty();
        }
        try {
            return Optional.of(DnsName.parse(target)).filter(name -> name.labels() > 0);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isAddress(String text) {
        try {
            Ip ignored = Ip.parseLenient(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    DnsService service() {
        return service;
    }

    /** The target name of an ExternalName. */
    Optional<DnsName> alias() {
        return alias;
    }

    /** Targets of the Service's own name. */
    List<EndpointTarget> all() {
        return ofPort(ANY, ANY);
    }

    /** Targets of {@code _port._protocol} before the Service's name. */
    List<EndpointTarget> ofPort(String port, String protocol) {
        String key = port + "/" + protocol;
        List<EndpointTarget> known = many.get(key);
        if (known == null) {
            known = generated(port, protocol);
            if (known.size() > FEW) {
                many.put(key, known);
            }
        }
        return known;
    }

    private List<EndpointTarget> generated(String port, String protocol) {
        List<EndpointTarget> targets = new ArrayList<>();
        switch (service.kind()) {
            case Kind.ClusterIps(List<Ip> addresses) -> {
                for (DnsPort each : portsOr(service.ports())) {
                    if (matches(each, port, protocol)) {
                        addresses.forEach(ip -> targets.add(new EndpointTarget(ip, each.port(), Optional.empty())));
                    }
                }
            }
            case Kind.Headless() ->
                endpoints((each, endpoint) -> {
                    if (matches(each, port, protocol)) {
                        targets.add(new EndpointTarget(endpoint.address(), each.port(), Optional.of(endpoint.label())));
                    }
                });
            case Kind.ExternalName ignored -> {}
        }
        return targets;
    }

    /** Targets of an endpoint's label before the Service's name. */
    List<EndpointTarget> ofEndpoint(String label) {
        Map<String, List<EndpointTarget>> known = byLabel;
        if (known == null) {
            Map<String, List<EndpointTarget>> fresh = new HashMap<>();
            endpoints((port, endpoint) -> {
                String own = endpoint.label();
                fresh.computeIfAbsent(own, key -> new ArrayList<>())
                        .add(new EndpointTarget(endpoint.address(), port.port(), Optional.of(own)));
            });
            known = fresh;
            byLabel = fresh;
        }
        return known.getOrDefault(label, List.of());
    }

    /** Whether a named port has this protocol, so that {@code _tcp} before the Service's name exists, although it has no record. */
    boolean hasNamedPort(String protocol) {
        return switch (service.kind()) {
            case Kind.ClusterIps ignored -> service.ports().stream().anyMatch(port -> isNamed(port, protocol));
            case Kind.Headless() ->
                service.endpoints().stream()
                        .filter(slice -> slice.ports().stream().anyMatch(port -> isNamed(port, protocol)))
                        .flatMap(slice -> slice.endpoints().stream())
                        .anyMatch(this::counts);
            case Kind.ExternalName ignored -> false;
        };
    }

    /** Passes the addresses of included endpoints to {@code to}, with repetitions. */
    void addresses(Consumer<Ip> to) {
        if (service.kind() instanceof Kind.ExternalName) {
            return;
        }
        for (DnsEndpoints slice : service.endpoints()) {
            slice.endpoints().stream()
                    .filter(this::counts)
                    .map(DnsEndpoint::address)
                    .forEach(to);
        }
    }

    /** Labels of the endpoints with this address. */
    List<String> labels(Ip address) {
        return service.endpoints().stream()
                .flatMap(slice -> slice.endpoints().stream())
                .filter(endpoint -> endpoint.address().equals(address) && counts(endpoint))
                .map(DnsEndpoint::label)
                .distinct()
                .toList();
    }

    private interface PortOfEndpoint {
        void accept(DnsPort port, DnsEndpoint endpoint);
    }

    private void endpoints(PortOfEndpoint to) {
        if (service.kind() instanceof Kind.ExternalName) {
            return;
        }
        for (DnsEndpoints slice : service.endpoints()) {
            List<DnsPort> ports = portsOr(slice.ports());
            for (DnsEndpoint endpoint : slice.endpoints()) {
                if (counts(endpoint)) {
                    ports.forEach(port -> to.accept(port, endpoint));
                }
            }
        }
    }

    /** Returns the ports, or {@link DnsPort#NONE} if there are none: addresses are used without ports, too. */
    private static List<DnsPort> portsOr(List<DnsPort> ports) {
        return ports.isEmpty() ? NO_PORTS : ports;
    }

    private boolean counts(DnsEndpoint endpoint) {
        return endpoint.ready() || service.publishNotReadyAddresses();
    }

    private static boolean matches(DnsPort port, String name, String protocol) {
        return (name.equals(ANY) || name.equals(port.name()))
                && (protocol.equals(ANY) || protocol.equals(port.protocol().toString()));
    }

    private static boolean isNamed(DnsPort port, String protocol) {
        return !port.name().isEmpty() && port.protocol().toString().equals(protocol);
    }
}
