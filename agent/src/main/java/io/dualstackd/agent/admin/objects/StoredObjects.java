package io.dualstackd.agent.admin.objects;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.print.OutputValue;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** Objects of the store, with the fields that are kept there: enough for tables and descriptions, but not for a whole object. */
final class StoredObjects {
    static final String OWNER_LABEL = "kubernetes.io/service-name";
    private static final String HEADLESS_LABEL = "service.kubernetes.io/headless";

    private StoredObjects() {}

    static KnownObject service(Service service) {
        OutputValue.Fields object =
                head(ObjectKind.SERVICES, service.namespace(), service.name()).with("spec", serviceSpec(service));
        if (!service.ingress().isEmpty()) {
            List<OutputValue.Fields> ingress = service.ingress().stream()
                    .map(entry -> OutputValue.object()
                            .with("ip", entry.ip().toString())
                            .with("ipMode", entry.mode().toString()))
                    .toList();
            object = object.with(
                    "status",
                    OutputValue.object()
                            .with("loadBalancer", OutputValue.object().with("ingress", ingress)));
        }
        return new KnownObject(
                ObjectKind.SERVICES, service.namespace(), service.name(), Optional.empty(), object, false);
    }

    private static OutputValue.Fields serviceSpec(Service service) {
        OutputValue.Fields spec = OutputValue.object();
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
            OutputValue.Fields labels = OutputValue.object();
            for (var label : new TreeMap<>(service.selector().get().labels()).entrySet()) {
                labels = labels.with(label.getKey(), label.getValue());
            }
            spec = spec.with("selector", labels);
        }
        return affinity(spec, service).with("type", service.type().toString());
    }

    private static OutputValue.Fields affinity(OutputValue.Fields spec, Service service) {
        return switch (service.sessionAffinity()) {
            case Service.SessionAffinity.None ignored -> spec.with("sessionAffinity", "None");
            case Service.SessionAffinity.ClientIp(var timeout) ->
                spec.with("sessionAffinity", "ClientIP")
                        .with(
                                "sessionAffinityConfig",
                                OutputValue.object()
                                        .with(
                                                "clientIP",
                                                OutputValue.object().with("timeoutSeconds", timeout.toSeconds())));
        };
    }

    private static List<OutputValue.Fields> ports(Service service) {
        List<PodSelector.Target> targets =
                service.selector().map(PodSelector::targets).orElse(List.of());
        List<OutputValue.Fields> ports = new ArrayList<>();
        for (int i = 0; i < service.ports().size(); i++) {
            Service.Port port = service.ports().get(i);
            OutputValue.Fields shown = port.name().isEmpty()
                    ? OutputValue.object()
                    : OutputValue.object().with("name", port.name());
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
        OutputValue.Fields labels = OutputValue.object().with(OWNER_LABEL, slice.service());
        if (slice.headless()) {
            labels = labels.with(HEADLESS_LABEL, "");
        }
        OutputValue.Fields object = OutputValue.object()
                .with("addressType", slice.addressType().toString())
                .with("apiVersion", ObjectKind.ENDPOINT_SLICES.apiVersion())
                .with(
                        "endpoints",
                        slice.endpoints().stream().map(StoredObjects::endpoint).toList())
                .with("kind", ObjectKind.ENDPOINT_SLICES.toString())
                .with(
                        "metadata",
                        OutputValue.object()
                                .with("labels", labels)
                                .with("name", slice.name())
                                .with("namespace", slice.namespace()))
                .with("ports", slice.ports().stream().map(StoredObjects::port).toList());
        return new KnownObject(
                ObjectKind.ENDPOINT_SLICES, slice.namespace(), slice.name(), Optional.empty(), object, false);
    }

    static OutputValue.Fields port(EndpointSlice.Port port) {
        OutputValue.Fields shown = OutputValue.object().with("name", port.name());
        if (port.port().isPresent()) {
            shown = shown.with("port", port.port().getAsInt());
        }
        return shown.with("protocol", protocol(port.protocol()));
    }

    static OutputValue.Fields endpoint(EndpointSlice.Endpoint endpoint) {
        OutputValue.Fields conditions = OutputValue.object();
        conditions = condition(conditions, "ready", endpoint.conditions().ready());
        conditions = condition(conditions, "serving", endpoint.conditions().serving());
        conditions = condition(conditions, "terminating", endpoint.conditions().terminating());
        OutputValue.Fields shown = OutputValue.object()
                .withTexts("addresses", List.of(endpoint.address().toString()))
                .with("conditions", conditions);
        return endpoint.nodeName().isEmpty() ? shown : shown.with("nodeName", endpoint.nodeName());
    }

    private static OutputValue.Fields condition(OutputValue.Fields to, String name, Optional<Boolean> value) {
        return value.map(truth -> to.with(name, truth)).orElse(to);
    }

    static KnownObject cidr(ServiceCidr cidr) {
        OutputValue.Fields object = head(ObjectKind.SERVICE_CIDRS, "", cidr.name())
                .with(
                        "spec",
                        OutputValue.object()
                                .withTexts(
                                        "cidrs",
                                        cidr.cidrs().stream()
                                                .map(network -> network.toString())
                                                .toList()));
        return new KnownObject(ObjectKind.SERVICE_CIDRS, "", cidr.name(), Optional.empty(), object, false);
    }

    /** The fields that every object begins with. */
    static OutputValue.Fields head(ObjectKind kind, String namespace, String name) {
        OutputValue.Fields metadata = OutputValue.object().with("name", name);
        return OutputValue.object()
                .with("apiVersion", kind.apiVersion())
                .with("kind", kind.toString())
                .with("metadata", namespace.isEmpty() ? metadata : metadata.with("namespace", namespace));
    }

    private static String protocol(Proto protocol) {
        return protocol.toString().toUpperCase(Locale.ROOT);
    }
}
