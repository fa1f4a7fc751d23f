package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The difference between two versions of a Service with its slices. It is computed when its text is asked for, not before. */
public record ServiceDiff(ServiceKey key, ServiceState before, ServiceState now) {
    /** The most parts of a text; a Service may have a thousand endpoints. */
    private static final int MAX_PARTS = 16;

    private static final int OBJECT_BYTES = 512;
    private static final int ENDPOINT_BYTES = 64;
    /** A port, or an address, in an object. */
    private static final int PART_BYTES = 64;

    private record ServiceField(String name, Function<Service, Object> value) {}

    private static final List<ServiceField> FIELDS = List.of(
            new ServiceField("type", Service::type),
            new ServiceField("clusterIPs", service -> clusterIps(service)),
            new ServiceField("ipFamilies", Service::ipFamilies),
            new ServiceField("ports", service -> texts(service.ports(), ServiceDiff::port)),
            new ServiceField("externalIPs", service -> texts(service.externalIps(), Ip::toString)),
            new ServiceField(
                    "loadBalancer.ingress",
                    service -> texts(service.ingress(), ingress -> ingress.ip() + " " + ingress.mode())),
            new ServiceField(
                    "loadBalancerSourceRanges", service -> texts(service.loadBalancerSourceRanges(), Object::toString)),
            new ServiceField("sessionAffinity", service -> affinity(service.sessionAffinity())),
            new ServiceField("externalTrafficPolicy", Service::externalTrafficPolicy),
            new ServiceField("internalTrafficPolicy", Service::internalTrafficPolicy),
            new ServiceField("healthCheckNodePort", Service::healthCheckNodePort),
            new ServiceField("externalName", Service::externalName),
            new ServiceField("publishNotReadyAddresses", Service::publishNotReadyAddresses),
            new ServiceField(
                    "label " + Service.PROXY_NAME_LABEL,
                    service -> service.proxyName().map(ServiceDiff::visible).orElse("")));

    /** About how many bytes of objects that are no longer current this change keeps in memory; an equal object may be another one. */
    public int retainedBytes() {
        int bytes = 0;
        Set<Object> current = Collections.newSetFromMap(new IdentityHashMap<>());
        current.addAll(now.slices());
        now.service().ifPresent(current::add);
        if (before.service().filter(old -> !current.contains(old)).isPresent()) {
            Service old = before.service().get();
            int parts = old.ports().size()
                    + old.externalIps().size()
                    + old.ingress().size()
                    + old.loadBalancerSourceRanges().size();
            bytes += OBJECT_BYTES + PART_BYTES * parts;
        }
        for (EndpointSlice slice : before.slices()) {
            if (!current.contains(slice)) {
                bytes += OBJECT_BYTES
                        + PART_BYTES * slice.ports().size()
                        + ENDPOINT_BYTES * slice.endpoints().size();
            }
        }
        return bytes;
    }

    /** For example {@code 10.244.0.5 removed, 10.244.0.6 added, type ClusterIP -> NodePort}. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        service(parts);
        endpoints(parts);
        if (parts.isEmpty()) {
            return "nothing that concerns connections";
        }
        int more = parts.size() - MAX_PARTS;
        return more <= 0
                ? String.join(", ", parts)
                : String.join(", ", parts.subList(0, MAX_PARTS)) + " and " + more + " more";
    }

    private void service(List<String> parts) {
        if (before.service().isEmpty() && now.service().isPresent()) {
            Service created = now.service().get();
            parts.add("Service created: " + created.type() + " " + clusterIps(created) + " "
                    + texts(created.ports(), ServiceDiff::port));
        } else if (before.service().isPresent() && now.service().isEmpty()) {
            parts.add("Service deleted");
        } else if (before.service().isPresent()) {
            fields(before.service().get(), now.service().get(), parts);
        }
    }

    private static void fields(Service before, Service now, List<String> parts) {
        for (ServiceField field : FIELDS) {
            Object from = field.value().apply(before);
            Object to = field.value().apply(now);
            if (!from.equals(to)) {
                parts.add(field.name() + " " + shown(from) + " -> " + shown(to));
            }
        }
    }

    private void endpoints(List<String> parts) {
        List<EndpointSlice> old = changedSlices(before, now);
        List<EndpointSlice> fresh = changedSlices(now, before);
        Map<Ip, EndpointSlice.Endpoint> from = byAddress(old);
        Map<Ip, EndpointSlice.Endpoint> to = byAddress(fresh);
        from.forEach((ip, endpoint) -> {
            EndpointSlice.Endpoint other = to.get(ip);
            if (other == null) {
                parts.add(ip + " removed");
            } else if (!conditions(other).equals(conditions(endpoint))) {
                parts.add(ip + " " + conditions(endpoint) + " -> " + conditions(other));
            } else if (!other.equals(endpoint)) {
                parts.add(ip + " has another node, hostname or other hints");
            }
        });
        to.forEach((ip, endpoint) -> {
            if (!from.containsKey(ip)) {
                String state = conditions(endpoint);
                parts.add(ip + " added" + (state.equals("ready") ? "" : " (" + state + ")"));
            }
        });
        String portsBefore = slicePorts(old);
        String portsNow = slicePorts(fresh);
        if (!old.isEmpty() && !fresh.isEmpty() && !portsBefore.equals(portsNow)) {
            parts.add("ports of endpoints " + portsBefore + " -> " + portsNow);
        }
    }

    /** The slices of one state that the other one does not have as they are. */
    private static List<EndpointSlice> changedSlices(ServiceState state, ServiceState other) {
        return state.slices().stream()
                .filter(slice -> !other.slices().contains(slice))
                .toList();
    }

    private static Map<Ip, EndpointSlice.Endpoint> byAddress(List<EndpointSlice> slices) {
        Map<Ip, EndpointSlice.Endpoint> endpoints = new LinkedHashMap<>();
        slices.forEach(slice -> slice.endpoints().forEach(each -> endpoints.put(each.address(), each)));
        return endpoints;
    }

    private static String slicePorts(List<EndpointSlice> slices) {
        return slices.stream()
                .flatMap(slice -> slice.ports().stream())
                .map(port -> port.name().orElse("") + ":" + port.port().orElse(0) + "/" + port.protocol())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" "));
    }

    /** The conditions with the defaults of the API for those that are unknown. */
    private static String conditions(EndpointSlice.Endpoint endpoint) {
        EndpointSlice.Conditions conditions = endpoint.conditions();
        if (conditions.terminating().orElse(false)) {
            return conditions.serving().orElse(true) ? "terminating" : "terminating and not serving";
        }
        return conditions.ready().orElse(true) ? "ready" : "not ready";
    }

    private static String clusterIps(Service service) {
        return service.clusterIp() instanceof Service.ClusterIp.None
                ? "None"
                : texts(service.clusterIps(), Ip::toString);
    }

    private static String port(Service.Port port) {
        String name = port.name().isEmpty() ? "" : port.name() + ":";
        String node = port.nodePort() == 0 ? "" : " node port " + port.nodePort();
        return name + port.port() + "/" + port.protocol() + node;
    }

    private static String affinity(Service.SessionAffinity affinity) {
        return switch (affinity) {
            case Service.SessionAffinity.None() -> "None";
            case Service.SessionAffinity.ClientIp(var timeout) -> "ClientIP " + timeout.toSeconds() + "s";
        };
    }

    private static <T> String texts(Collection<T> values, Function<T, String> text) {
        return values.stream().map(text).collect(Collectors.joining(" "));
    }

    /** A label with an empty value is not the same as none. */
    private static String visible(String label) {
        return label.isEmpty() ? "\"\"" : label;
    }

    private static String shown(Object value) {
        String text = value.toString();
        return text.isEmpty() ? "none" : text;
    }
}
