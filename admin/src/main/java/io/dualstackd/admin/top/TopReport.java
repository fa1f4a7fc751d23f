package io.dualstackd.admin.top;

import io.dualstackd.admin.objects.Frontends;
import io.dualstackd.admin.objects.ObjectsReport;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.counters.TranslatedFlows;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpPort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What {@code top} shows: the attempts at each frontend, the connections that are open, and when its Service last changed.
 *
 * @param changed when a change of a Service was last put in force
 */
public record TopReport(Traffic traffic, ActiveFlows flows, Function<ServiceKey, Optional<Instant>> changed) {
    /** Joins counters that were just read with the connections that conntrack lists now. Blocks until the kernel has listed them. */
    public static TopReport of(
            ObjectsReport report,
            Optional<String> namespace,
            List<ConnectionCounts> counts,
            List<TranslatedFlows> sources) {
        // Of all Services: one of another namespace may have an address first.
        Traffic all = Traffic.of(report.madeAt().toEpochMilli(), Frontends.of(report, Optional.empty()), counts);
        Traffic traffic = namespace.map(all::of).orElse(all);
        return new TopReport(traffic, ActiveFlows.read(traffic, sources), report.changed());
    }

    private Tree.Mapping head() {
        return Tree.object("atMillis", traffic.atMillis())
                .with("flowsNotListed", flows.failed().map(why -> "conntrack cannot be listed: " + why));
    }

    /** An object with a list of the frontends. */
    public Tree frontends() {
        return head().with(
                        "frontends", traffic.rows().stream().map(this::frontend).toList());
    }

    private Tree frontend(Traffic.Row row) {
        Frontends.Row frontend = row.frontend();
        ServiceKey service = frontend.port().name().service();
        return Tree.object("namespace", service.namespace())
                .with("service", service.name())
                .with("port", frontend.port().name().port())
                .with("frontend", frontend.frontend())
                .with("family", frontend.address().family())
                .with("type", frontend.kind())
                .with("state", frontend.state())
                .with("endpoints", frontend.endpoints().size())
                .with("connections", row.attempts().connections())
                .with("refused", row.attempts().refused())
                .with("dropped", row.attempts().dropped())
                .with("activeFlows", flows.of(frontend))
                .with("lastChangeMillis", changed.apply(service).map(Instant::toEpochMilli));
    }

    /** A port of a Service in one family: its endpoints that take connections, and the connections to these and former ones. */
    private record PortEndpoints(Map<IpPort, Endpoint> endpoints, Map<IpPort, Integer> active) {
        PortEndpoints() {
            this(new LinkedHashMap<>(), new LinkedHashMap<>());
        }

        List<IpPort> all() {
            List<IpPort> all = new ArrayList<>(endpoints.keySet());
            active.keySet().stream()
                    .filter(one -> !endpoints.containsKey(one))
                    .sorted()
                    .forEach(all::add);
            return all;
        }
    }

    /**
     * An object with a list of the endpoints of each port.
     *
     * @param counts of the families that are counted. Blocks until the kernel has answered
     */
    public Tree endpoints(List<ConnectionCounts> counts) {
        Map<ServicePort, PortEndpoints> ports = new LinkedHashMap<>();
        for (Traffic.Row row : traffic.rows()) {
            PortEndpoints of = ports.computeIfAbsent(row.frontend().port(), port -> new PortEndpoints());
            row.frontend().endpoints().forEach(endpoint -> of.endpoints.putIfAbsent(endpoint.address(), endpoint));
            flows.byEndpoint(row.frontend())
                    .forEach((endpoint, number) -> of.active.merge(endpoint, number, Integer::sum));
        }
        Map<CountedEndpoint, Long> connections = new HashMap<>();
        Optional<String> failed = Optional.empty();
        for (ConnectionCounts each : counts) {
            EndpointCounts read = each.endpoints(ports.entrySet().stream()
                    .filter(port -> port.getKey().family() == each.family())
                    .flatMap(port -> port.getValue().endpoints().keySet().stream()
                            .map(address -> new CountedEndpoint(port.getKey(), address)))
                    .toList());
            connections.putAll(read.connections());
            failed = failed.or(read::failed);
        }
        List<Tree> lines = new ArrayList<>();
        ports.forEach((port, of) -> of.all().forEach(address -> lines.add(endpoint(port, of, address, connections))));
        return head().with("notCounted", failed.map(why -> "the kernel's counters cannot be read: " + why))
                .with("endpoints", lines);
    }

    private Tree endpoint(ServicePort port, PortEndpoints of, IpPort address, Map<CountedEndpoint, Long> connections) {
        Optional<Endpoint> used = Optional.ofNullable(of.endpoints().get(address));
        return Tree.object("namespace", port.name().service().namespace())
                .with("service", port.name().service().name())
                .with("port", port.name().port())
                .with("protocol", port.name().protocol())
                .with("family", port.family())
                .with("endpoint", address)
                .with("local", used.map(Endpoint::local))
                .with("state", used.isPresent() ? "ok" : "no new connections")
                .with("connections", Optional.ofNullable(connections.get(new CountedEndpoint(port, address))))
                .with(
                        "activeFlows",
                        flows.failed().isPresent()
                                ? Optional.empty()
                                : Optional.of(of.active().getOrDefault(address, 0)));
    }
}
