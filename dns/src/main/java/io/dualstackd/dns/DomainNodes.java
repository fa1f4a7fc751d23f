package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.EndpointTarget;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Optional;

/** Looks up the content of names in the domain. */
final class DomainNodes {
    private final ZoneSettings settings;
    private final ServiceIndex services;

    DomainNodes(ZoneSettings settings, ServiceIndex services) {
        this.settings = settings;
        this.services = services;
    }

    DomainNode find(DnsName name) {
        return switch (DomainPosition.of(name, settings.domain())) {
            case DomainPosition.Apex() -> new DomainNode.Apex();
            case DomainPosition.Version() -> new DomainNode.Version();
            case DomainPosition.NameServer() -> new DomainNode.Addresses(serverAddresses());
            case DomainPosition.Between() -> DomainNode.EMPTY;
            case DomainPosition.Namespace(String namespace) -> DomainNode.existing(services.hasNamespace(namespace));
            case DomainPosition.PodNamespace(String namespace) ->
                DomainNode.existing(settings.podNames() && services.hasNamespace(namespace));
            case DomainPosition.Pod(String namespace, String label) -> pod(namespace, label);
            case DomainPosition.Service(String namespace, String service) ->
                DomainNode.of(services.find(namespace, service).map(DomainNodes::service));
            case DomainPosition.Label(String namespace, String service, String label) ->
                DomainNode.of(services.find(namespace, service).map(targets -> label(targets, label)));
            case DomainPosition.Port(String namespace, String service, String port, String protocol) ->
                DomainNode.of(services.find(namespace, service)
                        .map(targets -> DomainNode.of(targets.ofPort(port, protocol))));
            case DomainPosition.Nowhere() -> new DomainNode.Missing();
        };
    }

    private static DomainNode service(ServiceTargets targets) {
        return targets.alias().<DomainNode>map(DomainNode.Alias::new).orElseGet(() -> DomainNode.of(targets.all()));
    }

    private static DomainNode label(ServiceTargets targets, String label) {
        List<EndpointTarget> endpoint = targets.ofEndpoint(label);
        boolean protocol = endpoint.isEmpty() && label.startsWith("_") && targets.hasNamedPort(label.substring(1));
        return protocol ? DomainNode.EMPTY : DomainNode.of(endpoint);
    }

    private DomainNode pod(String namespace, String label) {
        return settings.podNames() && services.hasNamespace(namespace)
                ? DomainNode.of(podAddress(label).stream()
                        .map(ip -> new EndpointTarget(ip, DnsPort.NONE, Optional.empty()))
                        .toList())
                : new DomainNode.Missing();
    }

    /** Parses {@code 10-1-2-3} or {@code fd00--5}. */
    private static Optional<Ip> podAddress(String label) {
        boolean ipv4 =
                !label.contains("--") && label.chars().filter(c -> c == '-').count() == 3;
        try {
            return Optional.of(Ip.parse(label.replace('-', ipv4 ? '.' : ':')));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The name of the Service by which this server is reached, if there is one. */
    Optional<DnsName> serverName() {
        ServiceName server = settings.server();
        return services.find(server.namespace(), server.name())
                        .filter(targets -> !targets.all().isEmpty())
                        .isPresent()
                ? name(List.of(server.name(), server.namespace()))
                : Optional.empty();
    }

    /** Addresses of the zone's name server, without ports. */
    List<EndpointTarget> serverAddresses() {
        ServiceName server = settings.server();
        List<EndpointTarget> own = services.find(server.namespace(), server.name())
                .map(ServiceTargets::all)
                .orElse(List.of());
        return (own.isEmpty()
                        ? settings.serverAddresses().stream()
                        : own.stream().map(EndpointTarget::address))
                .distinct()
                .map(ip -> new EndpointTarget(ip, DnsPort.NONE, Optional.empty()))
                .toList();
    }

    /** Returns {@code labels} before {@code svc} and the domain; empty when that is too long for a name. */
    Optional<DnsName> name(List<String> labels) {
        Optional<DnsName> name = settings.domain().child("svc");
        for (String label : labels.reversed()) {
            name = name.flatMap(parent -> parent.child(label));
        }
        return name;
    }

    /** Returns the target name of a {@code SRV} record for {@code endpointTarget}. */
    Optional<DnsName> targetName(DnsName name, EndpointTarget endpointTarget) {
        return switch (DomainPosition.of(name, settings.domain())) {
            case DomainPosition.Service(String namespace, String service) -> name(endpointTarget, namespace, service);
            case DomainPosition.Label(String namespace, String service, String ignored) ->
                name(endpointTarget, namespace, service);
            case DomainPosition.Port(String namespace, String service, String ignored, String also) ->
                name(endpointTarget, namespace, service);
            default -> Optional.empty();
        };
    }

    private Optional<DnsName> name(EndpointTarget endpointTarget, String namespace, String service) {
        return name(endpointTarget
                .label()
                .map(label -> List.of(label, service, namespace))
                .orElse(List.of(service, namespace)));
    }
}
