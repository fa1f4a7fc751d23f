package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which topology hints of endpoints are obeyed on a node: node hints only when every ready endpoint carries one and one of them names
 * this node; zone hints likewise, when node hints are not obeyed. Otherwise every endpoint serves every node.
 *
 * @param node name of the node
 * @param zone empty when not known
 */
public record TopologyHints(String node, String zone) {
    public static TopologyHints of(NodeView node) {
        return new TopologyHints(node.name(), node.zone());
    }

    private boolean nodeHintsHold(List<Endpoint> ready) {
        return hold(ready, Endpoint::nodeHints, node);
    }

    private boolean zoneHintsHold(List<Endpoint> ready) {
        return !zone.isEmpty() && hold(ready, Endpoint::zoneHints, zone);
    }

    /** Whether every endpoint has a hint, and one of them this. */
    private static boolean hold(List<Endpoint> ready, Function<Endpoint, Set<String>> hints, String wanted) {
        boolean isNamed = false;
        for (Endpoint endpoint : ready) {
            Set<String> names = hints.apply(endpoint);
            if (names.isEmpty()) {
                return false;
            }
            isNamed |= names.contains(wanted);
        }
        return isNamed;
    }

    /** Which of these ready endpoints serve this node. */
    Predicate<Endpoint> chosen(List<Endpoint> ready) {
        if (nodeHintsHold(ready)) {
            return e -> e.nodeHints().contains(node);
        }
        return zoneHintsHold(ready) ? e -> e.zoneHints().contains(zone) : e -> true;
    }

    /** Describes the effect of hints on a port on this node, for the user; empty when no endpoint has any. */
    public Optional<String> words(PortView port) {
        List<Endpoint> ready = port.endpoints().stream().filter(Endpoint::ready).toList();
        boolean any = ready.stream()
                .anyMatch(e -> !e.nodeHints().isEmpty() || !e.zoneHints().isEmpty());
        if (!any) {
            return Optional.empty();
        }
        long chosen = ready.stream().filter(chosen(ready)).count();
        String of = chosen + " of " + ready.size() + " ready endpoints";
        if (nodeHintsHold(ready)) {
            return Optional.of("hints for node " + node + " are obeyed: " + of);
        }
        if (zoneHintsHold(ready)) {
            return Optional.of("hints for zone " + zone + " are obeyed: " + of);
        }
        return Optional.of("hints are not obeyed: " + whyNot(ready));
    }

    private String whyNot(List<Endpoint> ready) {
        if (ready.stream().allMatch(e -> e.zoneHints().isEmpty())) {
            return ready.stream().anyMatch(e -> e.nodeHints().isEmpty())
                    ? "some ready endpoint has none"
                    : "none is for node " + node;
        }
        return ready.stream().anyMatch(e -> e.zoneHints().isEmpty())
                ? "some ready endpoint has none"
                : zone.isEmpty() ? "the zone of this node is not known" : "none is for zone " + zone;
    }
}
