package io.dualstackd.pods.endpoint;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.netlink.ip.Ip;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Hides endpoints that sources still list although their pod, on this node, is dead.
 *
 * <p>An endpoint is hidden from the moment the runtime reports its pod dead, until the runtime reports that the address lives, or the
 * source changes it for the better: it was removed and added again, or it was not ready and is. A source that repeats itself, or reports a
 * worse state, changes nothing. Without a report of the runtime nothing is hidden. An address that a source gives a Service only after the
 * death is not hidden: by then it belongs to another pod. Neither is one that the source has on another node: some networks give an address
 * to a pod of any node.
 */
final class DeadEndpointFilter {
    /** By service and address: whether the source lists it as ready. */
    private final Map<ServiceKey, Map<Ip, Boolean>> hidden = new HashMap<>();

    private final String node;
    private long addresses;
    private long endpoints;

    /** @param node this node's name */
    DeadEndpointFilter(String node) {
        this.node = node;
    }

    /**
     * @param addresses for which a ready endpoint was hidden: not those of a pod that had never been ready, such as one whose first init
     *     container has ended
     * @param endpoints hidden, each counted once for its service
     */
    record Count(long addresses, long endpoints) {}

    Count count() {
        return new Count(addresses, endpoints);
    }

    /** Endpoints hidden now. */
    int hiddenNow() {
        return hidden.values().stream().mapToInt(Map::size).sum();
    }

    /**
     * Hides these addresses, which belonged to pods that are now dead.
     *
     * @param names which services list them
     * @param states all services
     * @return services that lose an endpoint
     */
    Set<ServiceKey> died(Set<Ip> ips, EndpointIndex names, Map<ServiceKey, ServiceState> states) {
        Set<ServiceKey> touched = new HashSet<>();
        for (Ip ip : ips) {
            boolean wasReady = false;
            for (ServiceKey service : names.naming(ip)) {
                ServiceState state = states.getOrDefault(service, ServiceState.GONE);
                if (!isSaid(state, ip)) {
                    continue;
                }
                boolean ready = isReady(state, ip);
                hidden.computeIfAbsent(service, key -> new HashMap<>()).put(ip, ready);
                wasReady |= ready;
                touched.add(service);
                endpoints++;
            }
            addresses += wasReady ? 1 : 0;
        }
        return touched;
    }

    /** @return services that get an endpoint back */
    Set<ServiceKey> lives(Set<Ip> ips) {
        Set<ServiceKey> touched = new HashSet<>();
        hidden.forEach((key, addresses) -> {
            if (addresses.keySet().removeAll(ips)) {
                touched.add(key);
            }
        });
        hidden.values().removeIf(Map::isEmpty);
        return touched;
    }

    void onReplaced(ServiceKey key, ServiceState now) {
        Map<Ip, Boolean> addresses = hidden.get(key);
        if (addresses == null) {
            return;
        }
        addresses.entrySet().removeIf(entry -> {
            boolean readyNow = isReady(now, entry.getKey());
            boolean better = readyNow && !entry.getValue();
            entry.setValue(readyNow);
            return better || !isSaid(now, entry.getKey());
        });
        if (addresses.isEmpty()) {
            hidden.remove(key);
        }
    }

    ServiceState shown(ServiceKey key, ServiceState state) {
        Map<Ip, Boolean> addresses = hidden.get(key);
        if (addresses == null) {
            return state;
        }
        return new ServiceState(
                state.service(),
                state.slices().stream()
                        .map(slice -> without(slice, addresses.keySet()))
                        .toList());
    }

    private EndpointSlice without(EndpointSlice slice, Set<Ip> addresses) {
        List<EndpointSlice.Endpoint> left = slice.endpoints().stream()
                .filter(endpoint ->
                        GeneratedSlice.isMade(slice) || !isHere(endpoint) || !addresses.contains(endpoint.address()))
                .toList();
        return left.size() == slice.endpoints().size() ? slice : slice.with(left);
    }

    /** Whether a source has an endpoint with this address on this node. */
    private boolean isSaid(ServiceState state, Ip ip) {
        byte[] address = ip.toBytes();
        List<EndpointSlice> slices = state.slices();
        for (int i = 0; i < slices.size(); i++) {
            // Only the slices with the address make endpoints.
            if (slices.get(i).has(address)
                    && !GeneratedSlice.isMade(slices.get(i))
                    && slices.get(i).endpoints().stream().anyMatch(endpoint -> isHere(endpoint, ip))) {
                return true;
            }
        }
        return false;
    }

    private boolean isReady(ServiceState state, Ip ip) {
        return state.slices().stream()
                .filter(slice -> !GeneratedSlice.isMade(slice))
                .flatMap(slice -> slice.endpoints().stream())
                .anyMatch(endpoint ->
                        isHere(endpoint, ip) && endpoint.conditions().ready().orElse(true));
    }

    private boolean isHere(EndpointSlice.Endpoint endpoint, Ip ip) {
        return endpoint.address().equals(ip) && isHere(endpoint);
    }

    /** Whether the endpoint may be a pod of this node. */
    private boolean isHere(EndpointSlice.Endpoint endpoint) {
        return endpoint.nodeName().isEmpty() || endpoint.nodeName().equals(node);
    }
}
