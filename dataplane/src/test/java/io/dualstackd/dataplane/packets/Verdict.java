package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.netlink.ip.Ip;
import java.util.Map;
import java.util.TreeMap;

/** The oracle's words in the words of the specification. */
final class Verdict {
    private Verdict() {}

    /** Where the oracle keeps out, what happens depends on whether the node listens there; {@code flow} is believed in that. */
    static Expected of(PacketFate fate, LabMap map, Flow flow) {
        return switch (fate) {
            case PacketFate.Forwarded(var service, var hops) -> {
                Map<String, Boolean> servers = new TreeMap<>();
                hops.forEach(hop -> servers.put(podName(map, hop.to().address().ip()), hop.masqueraded()));
                yield new Expected.Answers(servers);
            }
            case PacketFate.Rejected ignored -> new Expected.Refused();
            case PacketFate.Dropped ignored -> new Expected.Silence();
            case PacketFate.NotOurs() -> flow.port() == NodePorts.PORT ? new Expected.Host() : new Expected.Nobody();
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
