package io.dualstackd.agent.source;

import io.dualstackd.agent.api.ObjectKey;
import io.dualstackd.agent.api.Placed;
import io.dualstackd.agent.api.Service;
import io.dualstackd.agent.tree.Problem;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What only one Service can have: a cluster IP, a node port. An API server never hands them out twice; people who copy files do.
 *
 * <p>Not thread-safe. A changed Service costs its own addresses and ports.
 */
final class Collisions {
    private final SortedMap<String, SortedMap<ObjectKey, Placed>> owners = new TreeMap<>();
    private final Set<String> contested = new TreeSet<>();
    private final Map<ObjectKey, List<String>> owned = new HashMap<>();

    /** The object is in force now, instead of what was in force under its name. */
    void put(Placed placed) {
        ObjectKey key = placed.object().key();
        remove(key);
        if (placed.object() instanceof Service service && service.proxyName().isEmpty()) {
            List<String> things = things(service);
            owned.put(key, things);
            for (String thing : things) {
                SortedMap<ObjectKey, Placed> all = owners.computeIfAbsent(thing, t -> new TreeMap<>());
                all.put(key, placed);
                mark(thing, all);
            }
        }
    }

    void remove(ObjectKey key) {
        for (String thing : owned.getOrDefault(key, List.of())) {
            SortedMap<ObjectKey, Placed> all = owners.getOrDefault(thing, new TreeMap<>());
            all.remove(key);
            mark(thing, all);
        }
        owned.remove(key);
    }

    private void mark(String thing, SortedMap<ObjectKey, Placed> all) {
        if (all.isEmpty()) {
            owners.remove(thing);
        }
        if (all.size() > 1) {
            contested.add(thing);
        } else {
            contested.remove(thing);
        }
    }

    private static List<String> things(Service service) {
        List<String> things = new ArrayList<>();
        service.clusterIps().forEach(ip -> things.add("cluster IP " + ip));
        for (Service.Port port : service.ports()) {
            if (port.nodePort() != 0) {
                things.add(nodePort(port.nodePort(), port.protocol()));
            }
        }
        if (service.healthCheckNodePort() != 0) {
            things.add(nodePort(service.healthCheckNodePort(), Proto.TCP));
        }
        return things.stream().distinct().toList();
    }

    private static String nodePort(int port, Proto protocol) {
        return "node port " + port + "/" + protocol;
    }

    /** One warning for each Service after the first that has the same thing. */
    List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        for (String thing : contested) {
            List<Placed> all =
                    List.copyOf(owners.getOrDefault(thing, new TreeMap<>()).values());
            Placed first = all.getFirst();
            for (Placed other : all.subList(1, all.size())) {
                problems.add(new Problem(
                        Problem.Severity.WARNING,
                        other.place(),
                        other.object().key().toString(),
                        "",
                        thing + " also belongs to " + first.object().key() + " at " + first.place()
                                + "; only one of them can answer"));
            }
        }
        return problems;
    }
}
