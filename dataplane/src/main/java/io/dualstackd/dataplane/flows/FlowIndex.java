package io.dualstackd.dataplane.flows;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.IpPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The endpoints that serve each frontend of one protocol; updated one Service at a time. */
final class FlowIndex {
    private final Map<ServiceKey, List<FlowPort>> services = new HashMap<>();
    /** Two Services may claim one external IP and port; then the endpoints of either are right. */
    private final Map<Frontend, List<FlowPort>> owners = new HashMap<>();

    /**
     * A frontend of a Service that changed, and the endpoints that served it before.
     *
     * @param before endpoints of this Service that served it; empty also when it had no such frontend
     */
    record Touched(Frontend frontend, Set<IpPort> before) {}

    /**
     * Sets the ports of a Service; none when it is gone.
     *
     * @return its frontends, old ones and new ones; none when nothing changed
     */
    List<Touched> put(ServiceKey key, List<FlowPort> now) {
        List<FlowPort> before = services.getOrDefault(key, List.of());
        if (before.equals(now)) {
            return List.of();
        }
        Set<Frontend> touched = new LinkedHashSet<>();
        for (FlowPort port : before) {
            port.frontends().forEach(frontend -> {
                disown(frontend, port);
                touched.add(frontend);
            });
        }
        for (FlowPort port : now) {
            port.frontends().forEach(frontend -> {
                own(frontend, port);
                touched.add(frontend);
            });
        }
        if (now.isEmpty()) {
            services.remove(key);
        } else {
            services.put(key, List.copyOf(now));
        }
        Map<Frontend, Set<IpPort>> served = served(before);
        return touched.stream()
                .map(frontend -> new Touched(frontend, served.getOrDefault(frontend, Set.of())))
                .toList();
    }

    /** The endpoints of each frontend; those of one port share them. */
    private static Map<Frontend, Set<IpPort>> served(List<FlowPort> ports) {
        Map<Frontend, Set<IpPort>> served = new HashMap<>();
        for (FlowPort port : ports) {
            Set<IpPort> endpoints = new LinkedHashSet<>();
            port.endpoints().forEach(endpoints::add);
            port.frontends().forEach(frontend -> served.merge(frontend, endpoints, FlowIndex::union));
        }
        return served;
    }

    private static Set<IpPort> union(Set<IpPort> one, Set<IpPort> other) {
        Set<IpPort> both = new LinkedHashSet<>(one);
        both.addAll(other);
        return both;
    }

    private void own(Frontend frontend, FlowPort port) {
        List<FlowPort> others = owners.get(frontend);
        if (others == null) {
            owners.put(frontend, List.of(port));
        } else {
            List<FlowPort> all = new ArrayList<>(others);
            all.add(port);
            owners.put(frontend, List.copyOf(all));
        }
    }

    private void disown(Frontend frontend, FlowPort port) {
        List<FlowPort> rest = new ArrayList<>(owners.getOrDefault(frontend, List.of()));
        rest.remove(port);
        if (rest.isEmpty()) {
            owners.remove(frontend);
        } else {
            owners.put(frontend, List.copyOf(rest));
        }
    }

    boolean owns(Frontend frontend) {
        return owners.containsKey(frontend);
    }

    /** Whether flows to this frontend may go on to this endpoint. */
    boolean serves(Frontend frontend, IpPort endpoint) {
        for (FlowPort port : owners.getOrDefault(frontend, List.of())) {
            if (port.endpoints().contains(endpoint)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the Service has this endpoint, for any frontend. */
    boolean has(ServiceKey service, IpPort endpoint) {
        return services.getOrDefault(service, List.of()).stream()
                .anyMatch(port -> port.endpoints().contains(endpoint));
    }

    /** All node ports. */
    List<Frontend> nodePorts() {
        return owners.keySet().stream()
                .filter(frontend -> frontend instanceof Frontend.NodePort)
                .toList();
    }
}
