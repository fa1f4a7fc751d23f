package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketOracle;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.stream.Collectors;

/** Translates fates of the oracle to the terms of the specification. */
final class Verdict {
    private Verdict() {}

    /** What the oracle over plans foretells. */
    static Expected predicted(ProxyMode mode, Scenario scenario, Flow flow) {
        Planner planner = Planner.of(scenario.node());
        List<ServicePlan> plans =
                scenario.services().stream().map(planner::plan).toList();
        PacketFate fate = new PacketOracle(mode, planner, plans)
                .fate(new Packet(
                        flow.from().address(scenario.map()),
                        flow.from().origin(),
                        flow.destination(),
                        flow.protocol(),
                        flow.port()));
        return of(fate, scenario.map(), flow);
    }

    /** Where the oracle keeps out, what happens depends on whether the node listens there. */
    private static Expected of(PacketFate fate, LabMap map, Flow flow) {
        return switch (fate) {
            case PacketFate.Forwarded(var service, var reason, var hops) ->
                new Expected.Answers(hops.stream()
                        .map(hop -> podName(map, hop.to().address().ip()) + (hop.masqueraded() ? "*" : ""))
                        .collect(Collectors.toSet()));
            case PacketFate.Rejected ignored -> new Expected.Refused();
            case PacketFate.Dropped ignored -> new Expected.Silence();
            case PacketFate.NotOurs() -> flow.port() == NodePorts.PORT ? new Expected.Host() : new Expected.Unserved();
        };
    }

    private static String podName(LabMap map, Ip ip) {
        for (int number = 1; number <= LabMap.SERVING_PODS; number++) {
            if (ip.equals(map.localPod(number))) {
                return "L" + number;
            }
            if (ip.equals(map.remotePod(number))) {
                return "R" + number;
            }
        }
        throw new IllegalArgumentException(ip + " is no pod of the laboratory");
    }
}
