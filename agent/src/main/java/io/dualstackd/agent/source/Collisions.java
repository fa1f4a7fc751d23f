package io.dualstackd.agent.source;

import io.dualstackd.agent.api.ObjectKey;
import io.dualstackd.agent.api.Placed;
import io.dualstackd.agent.api.Service;
import io.dualstackd.agent.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What only one Service can have: a cluster IP, a node port. An API server never hands them out twice; people who copy files do.
 *
 * <p>Not thread-safe. A changed Service costs its own addresses and ports.
 */
final class Collisions {
    /** What two Services cannot both have. */
    private sealed interface Thing {
        record ClusterIp(Ip ip) implements Thing {
            @Override
            public String toString() {
                return "cluster IP " + ip;
            }
        }

        record NodePort(int port, Proto protocol) implements Thing {
            @Override
            public String toString() {
                return "node port " + port + "/" + protocol;
            }
        }
    }

    private final Map<Thing, Placed> owners = new HashMap<>();
    /** All owners of what has more than one, by its text, so that problems come in a fixed order. */
    private final SortedMap<String, SortedMap<ObjectKey, Placed>> contested = new TreeMap<>();

    /** {@code after} is in force now, instead of {@code before}, under one name. */
    void replace(@Nullable Placed before, @Nullable Placed after) {
        if (before != null) {
            things(before).forEach(thing -> remove(thing, before));
        }
        if (after != null) {
            things(after).forEach(thing -> add(thing, after));
        }
    }

    private void add(Thing thing, Placed owner) {
        Placed first = owners.putIfAbsent(thing, owner);
        if (first != null) {
            SortedMap<ObjectKey, Placed> all = contested.computeIfAbsent(thing.toString(), text -> new TreeMap<>());
            all.put(first.object().key(), first);
            all.put(owner.object().key(), owner);
        }
    }

    private void remove(Thing thing, Placed owner) {
        SortedMap<ObjectKey, Placed> all = contested.get(thing.toString());
        if (all == null) {
            owners.remove(thing);
            return;
        }
        all.remove(owner.object().key());
        owners.put(thing, all.firstEntry().getValue());
        if (all.size() == 1) {
            contested.remove(thing.toString());
        }
    }

    private static Set<Thing> things(Placed placed) {
        if (!(placed.object() instanceof Service service) || service.proxyName().isPresent()) {
            return Set.of();
        }
        Set<Thing> things = new HashSet<>();
        service.clusterIps().forEach(ip -> things.add(new Thing.ClusterIp(ip)));
        for (Service.Port port : service.ports()) {
            if (port.nodePort() != 0) {
                things.add(new Thing.NodePort(port.nodePort(), port.protocol()));
            }
        }
        if (service.healthCheckNodePort() != 0) {
            things.add(new Thing.NodePort(service.healthCheckNodePort(), Proto.TCP));
        }
        return things;
    }

    /** One warning for each Service after the first that has the same thing. */
    List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        contested.forEach((thing, all) -> {
            Placed first = all.firstEntry().getValue();
            all.values().stream()
                    .skip(1)
                    .forEach(other -> problems.add(new Problem(
                            Problem.Severity.WARNING,
                            other.place(),
                            other.object().key().toString(),
                            "",
                            thing + " also belongs to " + first.object().key() + " at " + first.place()
                                    + "; only one of them can answer")));
        });
        return problems;
    }
}
