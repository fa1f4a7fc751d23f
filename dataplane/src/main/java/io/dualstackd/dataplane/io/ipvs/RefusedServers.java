package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.io.ipvs.IpvsKernel.RefusedStep;
import io.dualstackd.dataplane.ipvs.Step;
import io.dualstackd.dataplane.ipvs.VirtualServer;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The parts of Services that the kernel refused: each virtual server is a change of its own, so the others can serve. Used by one thread. */
final class RefusedServers {
    private final Map<ServiceKey, Parts> ofServices = new HashMap<>();

    private record Destination(IpvsKey server, IpPort address) {}

    private record Parts(Set<IpvsKey> servers, Set<Destination> destinations, Set<Ip> addresses) {
        Parts() {
            this(new HashSet<>(), new HashSet<>(), new HashSet<>());
        }

        void add(Step step) {
            switch (step) {
                case Step.Change one -> add(one.change());
                case Step.Hold(var ignored, Ip address) -> addresses.add(address);
                case Step.Release(var ignored, Ip address) -> addresses.add(address);
            }
        }

        private void add(IpvsChange change) {
            switch (change) {
                case IpvsChange.AddDestination(IpvsKey key, IpvsDestination destination) ->
                    destinations.add(new Destination(key, destination.address()));
                case IpvsChange.SetDestination(IpvsKey key, IpvsDestination destination) ->
                    destinations.add(new Destination(key, destination.address()));
                case IpvsChange.AddService _,
                        IpvsChange.SetService _,
                        IpvsChange.DeleteService _,
                        IpvsChange.DeleteDestination _ -> servers.add(change.key());
            }
        }

        boolean isRefused(IpvsKey.At server) {
            return servers.contains(server) || addresses.contains(server.address());
        }

        VirtualServer without(IpvsKey.At key, VirtualServer server) {
            Set<IpPort> kept = server.destinations().stream()
                    .filter(address -> !destinations.contains(new Destination(key, address)))
                    .collect(Collectors.toUnmodifiableSet());
            return new VirtualServer(server.service(), kept, server.held());
        }
    }

    void note(List<RefusedStep> refused) {
        for (RefusedStep one : refused) {
            if (one.step().origin() instanceof Origin.OfService(ServiceKey service)) {
                ofServices.computeIfAbsent(service, key -> new Parts()).add(one.step());
            }
        }
    }

    /** What a Service wants without its refused parts. */
    Map<IpvsKey.At, VirtualServer> without(ServiceKey service, Map<IpvsKey.At, VirtualServer> wanted) {
        Parts refused = ofServices.get(service);
        if (refused == null) {
            return wanted;
        }
        Map<IpvsKey.At, VirtualServer> rest = new LinkedHashMap<>();
        wanted.forEach((key, server) -> {
            if (!refused.isRefused(key)) {
                rest.put(key, refused.without(key, server));
            }
        });
        return rest;
    }

    /** Forgets what was refused of all Services but these. */
    void retain(Set<ServiceKey> services) {
        ofServices.keySet().retainAll(services);
    }

    void retry(ServiceKey service) {
        ofServices.remove(service);
    }
}
