package io.dualstackd.dataplane.flows;

import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The destination addresses on which node ports answer.
 *
 * @param addresses of this node
 * @param loopback every loopback address, too
 */
record NodeTargets(Set<Ip> addresses, boolean loopback) {
    static final NodeTargets NONE = new NodeTargets(Set.of(), false);

    NodeTargets {
        addresses = Set.copyOf(addresses);
    }

    static NodeTargets of(Planner planner) {
        return switch (planner.nodePlan().nodePorts()) {
            case NodePortMatch.AllLocal(boolean loopback) ->
                new NodeTargets(
                        planner.node().addresses().stream()
                                .filter(ip -> !ip.isLoopback())
                                .collect(Collectors.toSet()),
                        loopback);
            case NodePortMatch.Only(List<Ip> addresses) -> new NodeTargets(Set.copyOf(addresses), false);
        };
    }

    boolean contains(Ip ip) {
        return addresses.contains(ip) || (loopback && ip.isLoopback());
    }
}
