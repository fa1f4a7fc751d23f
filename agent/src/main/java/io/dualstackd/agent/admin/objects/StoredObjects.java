package io.dualstackd.agent.admin.objects;

import io.dualstackd.agent.api.EndpointSlice;
import io.dualstackd.agent.api.PodSelector;
import io.dualstackd.agent.api.Service;
import io.dualstackd.agent.api.ServiceCidr;
import io.dualstackd.agent.print.Shown;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** Objects of the store, with those fields that are kept there: enough for tables and descriptions, too little for an object. */
final class StoredObjects {
    static final String OWNER_LABEL = "kubernetes.io/service-name";
    private static final String HEADLESS_LABEL = "service.kubernetes.io/headless";

    private StoredObjects() {}

    static KnownObject service(Service service) {
        Shown.Fields object =
                head(ObjectKind.SERVICES, service.namespace(), service.name()).with("spec", serviceSpec(service));
        if (!service.ingress().isEmpty()) {
            List<Shown.Fields> ingress = service.ingress().stream()
                    .map(entry -> Shown.object()
                            .with("ip", entry.ip().toString())
                            .with("ipMode", entry.mode().toString()))
                    .toList();
            object = object.with(
                    "status", Shown.object().with("loadBalancer", Shown.object().with("ingress", ingress)));
        }
        return new KnownObject(
                ObjectKind.SERVICES, service.namespace(), service.name(), Optional.empty(), object, false);
    }

    private static Shown.Fields serviceSpec(Service service) {
        Shown.Fields spec = Shown.object();
        List<String> ips =
                service.clusterIps().stream().map(ip -> ip.toString()).toList();
        switch (service.clusterIp()) {
            case Service.ClusterIp.None ignored ->
                spec = spec.with("clusterIP", "None").withTexts("clusterIPs", List.of("None"));
            case Service.ClusterIp.Address(var ip) ->
                spec = spec.with("clusterIP", ip.toString()).withTexts("clusterIPs", ips);
            case Service.ClusterIp.Unset ignored -> {}
        }
        if (!service.externalIps().isEmpty()) {
            spec = spec.withTexts(
                    "externalIPs",
                    service.externalIps().stream().map(ip -> ip.toString()).toList());
        }
        if (service.type() != Service.Type.EXTERNAL_NAME) {
            spec = spec.with(
                            "externalTrafficPolicy",
                            service.externalTrafficPolicy().toString())
                    .with(
                            "internalTrafficPolicy",
                            service.internalTrafficPolicy().toString());
        }
        if (service.healthCheckNodePort() != 0) {
            spec = spec.with("healthCheckNodePort", service.healthCheckNodePort());
        }
        if (!service.ipFamilies().isEmpty()) {
            spec = spec.withTexts(
                    "ipFamilies",
                    service.ipFamilies().stream()
                            .map(family -> family.toString())
                            .toList());
        }
        if (!service.ports().isEmpty()) {
            spec = spec.with("ports", ports(service));
        }
        if (service.selector().isPresent()) {
            Shown.Fields labels = Shown.object();
            for (var label : new TreeMap<>(service.selector().get().labels()).entrySet()) {
                labels = labels.with(label.getKey(), label.getValue());
            }
            spec = spec.with("selector", labels);
        }
        return affinity(spec, service).with("type", service.type().toString());
    }

    private static Shown.Fields affinity(Shown.Fields spec, Service service) {
        return switch (service.sessionAffinity()) {
            case Service.SessionAffinity.None ignored -> spec.with("sessionAffinity", "None");
            case Service.SessionAffinity.ClientIp(var timeout) ->
                spec.with("sessionAffinity", "ClientIP")
                        .with(
                                "sessionAffinityConfig",
                                Shown.object()
                                        .with("clientIP", Shown.object().with("timeoutSeconds", timeout.toSeconds())));
        };
    }

    private static List<Shown.Fields> ports(Service service) {
        List<PodSelector.Target> targets =
                service.selector().map(PodSelector::targets).orElse(List.of());
        List<Shown.Fields> ports = new ArrayList<>();
        for (int i = 0; i < service.ports().size(); i++) {
            Service.Port port = service.ports().get(i);
            Shown.Fields shown =
                    port.name().isEmpty() ? Shown.object() : Shown.object().with("name", port.name());
            if (port.nodePort() != 0) {
                shown = shown.with("nodePort", port.nodePort());
            }
            shown = shown.with("port", port.port()).with("protocol", protocol(port.protocol()));
            if (i < targets.size()) {
                shown = switch (targets.get(i)) {
                    case PodSelector.Target.Named(String name) -> shown.with("targetPort", name);
                    case PodSelector.Target.Numbered(int number) -> shown.with("targetPort", number);
                };
            }
            ports.add(shown);
        }
        return ports;
    }

    static KnownObject slice(EndpointSlice slice) {
        Shown.Fields labels = Shown.object().with(OWNER_LABEL, slice.service());
        if (slice.headless()) {
            labels = labels.with(HEADLESS_LABEL, "");
        }
        Shown.Fields object = Shown.object()
                .with("addressType", slice.addressType().toString())
                .with("apiVersion", ObjectKind.ENDPOINT_SLICES.apiVersion())
                .with(
                        "endpoints",
                        slice.endpoints().stream().map(StoredObjects::endpoint).toList())
                .with("kind", ObjectKind.ENDPOINT_SLICES.toString())
                .with(
                        "metadata",
                        Shown.object()
                                .with("labels", labels)
                                .with("name", slice.name())
                                .with("namespace", slice.namespace()))
                .with("ports", slice.ports().stream().map(StoredObjects::port).toList());
        return new KnownObject(
                ObjectKind.ENDPOINT_SLICES, slice.namespace(), slice.name(), Optional.empty(), object, false);
    }

    static Shown.Fields port(EndpointSlice.Port port) {
        Shown.Fields shown = Shown.object().with("name", port.name());
        if (port.port().isPresent()) {
            shown = shown.with("port", port.port().getAsInt());
        }
        return shown.with("protocol", protocol(port.protocol()));
    }

    static Shown.Fields endpoint(EndpointSlice.Endpoint endpoint) {
        Shown.Fields conditions = Shown.object();
        conditions = condition(conditions, "ready", endpoint.conditions().ready());
        conditions = condition(conditions, "serving", endpoint.conditions().serving());
        conditions = condition(conditions, "terminating", endpoint.conditions().terminating());
        Shown.Fields shown = Shown.object()
                .withTexts("addresses", List.of(endpoint.address().toString()))
                .with("conditions", conditions);
        return endpoint.nodeName().isEmpty() ? shown : shown.with("nodeName", endpoint.nodeName());
    }

    private static Shown.Fields condition(Shown.Fields to, String name, Optional<Boolean> value) {
        return value.map(truth -> to.with(name, truth)).orElse(to);
    }

    static KnownObject cidr(ServiceCidr cidr) {
        Shown.Fields object = head(ObjectKind.SERVICE_CIDRS, "", cidr.name())
                .with(
                        "spec",
                        Shown.object()
                                .withTexts(
                                        "cidrs",
                                        cidr.cidrs().stream()
                                                .map(network -> network.toString())
                                                .toList()));
        return new KnownObject(ObjectKind.SERVICE_CIDRS, "", cidr.name(), Optional.empty(), object, false);
    }

    /** What every object begins with. */
    static Shown.Fields head(ObjectKind kind, String namespace, String name) {
        Shown.Fields metadata = Shown.object().with("name", name);
        return Shown.object()
                .with("apiVersion", kind.apiVersion())
                .with("kind", kind.toString())
                .with("metadata", namespace.isEmpty() ? metadata : metadata.with("namespace", namespace));
    }

    private static String protocol(Proto protocol) {
        return protocol.toString().toUpperCase(Locale.ROOT);
    }
}
