package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.standalone.manifest.MirroredSlices;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** Objects of the store, with the fields that are kept there: enough for tables and descriptions, but not for a whole object. */
final class StoredObjects {
    static final String OWNER_LABEL = "kubernetes.io/service-name";
    static final String MANAGER_LABEL = "endpointslice.kubernetes.io/managed-by";
    static final String HEADLESS_LABEL = "service.kubernetes.io/headless";

    private StoredObjects() {}

    static KnownObject service(Service service) {
        Tree.Mapping object =
                head(ObjectKind.SERVICES, service.namespace(), service.name()).with("spec", serviceSpec(service));
        if (service.proxyName().isPresent() && object.entries().get("metadata") instanceof Tree.Mapping metadata) {
            Tree.Mapping labels =
                    Tree.object(Service.PROXY_NAME_LABEL, service.proxyName().get());
            object = object.with("metadata", metadata.with("labels", labels));
        }
        if (!service.ingress().isEmpty()) {
            List<Tree.Mapping> ingress = service.ingress().stream()
                    .map(entry -> Tree.object("ip", entry.ip()).with("ipMode", entry.mode()))
                    .toList();
            object = object.with("status", Tree.object("loadBalancer", Tree.object("ingress", ingress)));
        }
        return new KnownObject(
                ObjectKind.SERVICES, service.namespace(), service.name(), Optional.empty(), object, false);
    }

    private static Tree.Mapping serviceSpec(Service service) {
        Tree.Mapping spec = Tree.object();
        List<String> ips =
                service.clusterIps().stream().map(ip -> ip.toString()).toList();
        switch (service.clusterIp()) {
            case Service.ClusterIp.None ignored ->
                spec = spec.with("clusterIP", "None").with("clusterIPs", List.of("None"));
            case Service.ClusterIp.Address(var ip) ->
                spec = spec.with("clusterIP", ip).with("clusterIPs", ips);
            case Service.ClusterIp.Unset ignored -> {}
        }
        if (!service.externalIps().isEmpty()) {
            spec = spec.with("externalIPs", service.externalIps());
        }
        if (service.type() == Service.Type.EXTERNAL_NAME) {
            spec = spec.with("externalName", service.externalName());
        } else {
            spec = spec.with("externalTrafficPolicy", service.externalTrafficPolicy())
                    .with("internalTrafficPolicy", service.internalTrafficPolicy());
        }
        if (service.healthCheckNodePort() != 0) {
            spec = spec.with("healthCheckNodePort", service.healthCheckNodePort());
        }
        if (!service.ipFamilies().isEmpty()) {
            spec = spec.with("ipFamilies", service.ipFamilies());
        }
        if (!service.loadBalancerSourceRanges().isEmpty()) {
            spec = spec.with("loadBalancerSourceRanges", service.loadBalancerSourceRanges());
        }
        if (!service.ports().isEmpty()) {
            spec = spec.with("ports", ports(service));
        }
        if (service.selector().isPresent()) {
            spec = spec.with("selector", new TreeMap<>(service.selector().get().labels()));
        }
        return affinity(spec, service).with("type", service.type());
    }

    private static Tree.Mapping affinity(Tree.Mapping spec, Service service) {
        return switch (service.sessionAffinity()) {
            case Service.SessionAffinity.None ignored -> spec.with("sessionAffinity", "None");
            case Service.SessionAffinity.ClientIp(var timeout) ->
                spec.with("sessionAffinity", "ClientIP")
                        .with(
                                "sessionAffinityConfig",
                                Tree.object("clientIP", Tree.object("timeoutSeconds", timeout.toSeconds())));
        };
    }

    private static List<Tree.Mapping> ports(Service service) {
        List<PodSelector.Target> targets =
                service.selector().map(PodSelector::targets).orElse(List.of());
        List<Tree.Mapping> ports = new ArrayList<>();
        for (int i = 0; i < service.ports().size(); i++) {
            Service.Port port = service.ports().get(i);
            Tree.Mapping shown = port.name().isEmpty() ? Tree.object() : Tree.object("name", port.name());
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
        Tree.Mapping labels = Tree.object(OWNER_LABEL, slice.service());
        // No name of an object has a colon: behind it is what distinguishes slices made here from those of files.
        String name = slice.name().split(":", 2)[0];
        boolean made = !name.equals(slice.name());
        if (MirroredSlices.isMirrored(slice)) {
            labels = Tree.object(MANAGER_LABEL, MirroredSlices.MANAGER).with(OWNER_LABEL, slice.service());
        }
        if (slice.headless()) {
            labels = labels.with(HEADLESS_LABEL, "");
        }
        Tree.Mapping object = Tree.object("addressType", slice.addressType())
                .with("apiVersion", ObjectKind.ENDPOINT_SLICES.apiVersion())
                .with(
                        "endpoints",
                        slice.endpoints().stream().map(StoredObjects::endpoint).toList())
                .with("kind", ObjectKind.ENDPOINT_SLICES)
                .with(
                        "metadata",
                        Tree.object("labels", labels).with("name", name).with("namespace", slice.namespace()))
                .with("ports", slice.ports().stream().map(StoredObjects::port).toList());
        return new KnownObject(ObjectKind.ENDPOINT_SLICES, slice.namespace(), name, Optional.empty(), object, made);
    }

    static Tree.Mapping port(EndpointSlice.Port port) {
        Tree.Mapping shown = Tree.object("name", port.name());
        if (port.port().isPresent()) {
            shown = shown.with("port", port.port().getAsInt());
        }
        return shown.with("protocol", protocol(port.protocol()));
    }

    static Tree.Mapping endpoint(EndpointSlice.Endpoint endpoint) {
        Tree.Mapping conditions = Tree.object("ready", endpoint.conditions().ready())
                .with("serving", endpoint.conditions().serving())
                .with("terminating", endpoint.conditions().terminating());
        Tree.Mapping shown = Tree.object("addresses", List.of(endpoint.address()))
                .with("conditions", conditions)
                .with("hostname", Optional.of(endpoint.hostname()).filter(hostname -> !hostname.isEmpty()));
        return endpoint.nodeName().isEmpty() ? shown : shown.with("nodeName", endpoint.nodeName());
    }

    static KnownObject cidr(ServiceCidr cidr) {
        Tree.Mapping object =
                head(ObjectKind.SERVICE_CIDRS, "", cidr.name()).with("spec", Tree.object("cidrs", cidr.cidrs()));
        return new KnownObject(ObjectKind.SERVICE_CIDRS, "", cidr.name(), Optional.empty(), object, false);
    }

    /** The fields that every object begins with. */
    static Tree.Mapping head(ObjectKind kind, String namespace, String name) {
        Tree.Mapping metadata = Tree.object("name", name);
        return Tree.object("apiVersion", kind.apiVersion())
                .with("kind", kind)
                .with("metadata", namespace.isEmpty() ? metadata : metadata.with("namespace", namespace));
    }

    private static String protocol(Proto protocol) {
        return protocol.toString().toUpperCase(Locale.ROOT);
    }
}
