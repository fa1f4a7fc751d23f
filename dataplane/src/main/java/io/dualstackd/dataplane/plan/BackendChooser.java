package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.netlink.ip.IpPort;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Chooses which endpoints of a service port take new connections on one node: by readiness, by node and zone hints, and by the
 * policies in use. Keeps the order of the endpoints.
 *
 * <p>The cluster list and the local list fall back to terminating endpoints independently of each other: a node whose own pods
 * all terminate still serves {@code Local} traffic from them, while cluster traffic already goes to ready pods elsewhere.
 */
final class BackendChooser {
    private final TopologyHints hints;

    BackendChooser(TopologyHints hints) {
        this.hints = hints;
    }

    /**
     * The chosen endpoints.
     *
     * @param cluster for the Cluster policy; empty when the port never uses it
     * @param local for the Local policy; empty when the port never uses it
     * @param reachable the union of both
     * @param hasEndpoints some endpoint serves somewhere, though perhaps not for this node
     */
    record Choice(List<Backend> cluster, List<Backend> local, List<Backend> reachable, boolean hasEndpoints) {}

    Choice choose(PortView view) {
        ServicePort port = view.port();
        List<Endpoint> all = view.endpoints();
        List<Endpoint> cluster = port.usesClusterEndpoints() ? clusterEndpoints(all) : List.of();
        if (!port.usesLocalEndpoints()) {
            List<Backend> backends = backends(cluster);
            return new Choice(backends, List.of(), backends, !backends.isEmpty());
        }
        List<Endpoint> local = localEndpoints(all);
        boolean hasEndpoints = all.stream().anyMatch(e -> e.ready() || e.servingTerminating());
        List<Endpoint> reachable =
                cluster.isEmpty() ? local : local.isEmpty() ? cluster : matching(all, eitherIn(cluster, local));
        return new Choice(backends(cluster), backends(local), backends(reachable), hasEndpoints);
    }

    private List<Endpoint> clusterEndpoints(List<Endpoint> all) {
        List<Endpoint> ready = matching(all, Endpoint::ready);
        if (ready.isEmpty()) {
            return matching(all, Endpoint::servingTerminating);
        }
        return matching(ready, hints.chosen(ready));
    }

    /** Hints never restrict this list. */
    private static List<Endpoint> localEndpoints(List<Endpoint> all) {
        List<Endpoint> ready = matching(all, e -> e.local() && e.ready());
        return ready.isEmpty() ? matching(all, e -> e.local() && e.servingTerminating()) : ready;
    }

    private static Predicate<Endpoint> eitherIn(List<Endpoint> cluster, List<Endpoint> local) {
        // By address: cheap to hash, and unique among the endpoints of a port.
        Set<IpPort> chosen = new HashSet<>(2 * (cluster.size() + local.size()));
        cluster.forEach(e -> chosen.add(e.address()));
        local.forEach(e -> chosen.add(e.address()));
        return e -> chosen.contains(e.address());
    }

    private static List<Endpoint> matching(List<Endpoint> endpoints, Predicate<Endpoint> wanted) {
        int first = 0;
        while (first < endpoints.size() && wanted.test(endpoints.get(first))) {
            first++;
        }
        if (first == endpoints.size()) {
            return endpoints;
        }
        List<Endpoint> found = new ArrayList<>(endpoints.subList(0, first));
        for (Endpoint endpoint : endpoints.subList(first + 1, endpoints.size())) {
            if (wanted.test(endpoint)) {
                found.add(endpoint);
            }
        }
        return found;
    }

    private static List<Backend> backends(List<Endpoint> endpoints) {
        List<Backend> backends = new ArrayList<>(endpoints.size());
        for (Endpoint endpoint : endpoints) {
            backends.add(new Backend(endpoint.address(), endpoint.local()));
        }
        return List.copyOf(backends);
    }
}
