package io.dualstackd.dataplane.flows;

import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.Collection;
import java.util.List;

/** Chooses the conntrack dumps that list all flows to some frontends. */
final class Filters {
    /**
     * The most dumps to make. The kernel walks its whole table for each, whatever the filter; one dump of a protocol costs a walk
     * and the reading of what it lists.
     */
    static final int MOST = 4;

    private Filters() {}

    static List<FlowFilter> of(IpFamily family, Proto proto, Collection<Frontend> frontends) {
        if (frontends.size() <= MOST) {
            return frontends.stream()
                    .map(frontend -> one(family, proto, frontend))
                    .distinct()
                    .toList();
        }
        List<FlowFilter> byPort = frontends.stream()
                .mapToInt(Frontend::port)
                .distinct()
                .limit(MOST + 1)
                .mapToObj(port -> (FlowFilter) new FlowFilter.ToPort(family, proto, port))
                .toList();
        return byPort.size() <= MOST ? byPort : List.of(new FlowFilter.OfProto(family, proto));
    }

    private static FlowFilter one(IpFamily family, Proto proto, Frontend frontend) {
        return switch (frontend) {
            case Frontend.Address(var at) -> new FlowFilter.To(proto, at);
            case Frontend.NodePort(int number) -> new FlowFilter.ToPort(family, proto, number);
        };
    }
}
