package io.dualstackd.agent.dns;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dns.DnsEndpoint;
import io.dualstackd.dns.DnsEndpoints;
import io.dualstackd.dns.DnsPort;
import io.dualstackd.dns.DnsService;
import io.dualstackd.dns.ServiceName;
import io.dualstackd.dns.ZoneChange;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.Changes;
import io.dualstackd.kubeapi.store.ServiceState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Services of the store as the DNS server needs them. A change costs the size of the Services that changed. */
public final class StoreZone {
    private StoreZone() {}

    /** Translates the changes; empty when they concern no Service. */
    public static Optional<ZoneChange> change(Changes changes) {
        if (changes.services().isEmpty() && !changes.everything()) {
            return Optional.empty();
        }
        Map<ServiceName, Optional<DnsService>> services = new HashMap<>();
        changes.services().forEach((key, state) -> services.put(name(key), service(key, state)));
        return Optional.of(new ZoneChange(changes.everything(), services));
    }

    private static ServiceName name(ServiceKey key) {
        return new ServiceName(key.namespace(), key.name());
    }

    private static Optional<DnsService> service(ServiceKey key, ServiceState state) {
        return state.service()
                .flatMap(service -> kind(service)
                        .map(kind -> new DnsService(
                                name(key),
                                kind,
                                service.ports().stream()
                                        .map(port -> new DnsPort(port.name(), port.protocol(), port.port()))
                                        .toList(),
                                service.publishNotReadyAddresses(),
                                state.slices().stream()
                                        .map(StoreZone::endpoints)
                                        .toList())));
    }

    /** Empty for a Service that has not been given an address. */
    private static Optional<DnsService.Kind> kind(Service service) {
        if (service.type() == Service.Type.EXTERNAL_NAME) {
            return Optional.of(new DnsService.Kind.ExternalName(service.externalName()));
        }
        return switch (service.clusterIp()) {
            case Service.ClusterIp.None() -> Optional.of(new DnsService.Kind.Headless());
            case Service.ClusterIp.Address(var ip) ->
                Optional.of(new DnsService.Kind.ClusterIps(
                        service.clusterIps().isEmpty() ? List.of(ip) : service.clusterIps()));
            case Service.ClusterIp.Unset() -> Optional.empty();
        };
    }

    private static DnsEndpoints endpoints(EndpointSlice slice) {
        return new DnsEndpoints(
                slice.ports().stream()
                        .map(port -> new DnsPort(
                                port.name().orElse(""),
                                port.protocol(),
                                port.port().orElse(DnsPort.NONE)))
                        .toList(),
                slice.endpoints().stream()
                        .map(endpoint -> new DnsEndpoint(
                                endpoint.address(),
                                Optional.of(endpoint.hostname()),
                                endpoint.conditions().ready().orElse(true)))
                        .toList());
    }
}
