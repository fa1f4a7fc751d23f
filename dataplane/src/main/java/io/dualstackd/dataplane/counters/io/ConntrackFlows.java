package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.TranslatedFlows;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.conntrack.FlowView;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lists translated connections of a family by conntrack. The kernel leaves out the others; those that it lists nevertheless, and those in
 * zones, which belong to separate networks, are left out here.
 *
 * @param sockets of the namespace with the connections
 */
public record ConntrackFlows(IpFamily family, NetlinkSockets sockets) implements TranslatedFlows {
    @Override
    public Optional<String> each(Consumer<FlowView> visitor) {
        try (ConntrackClient kernel = ConntrackClient.open(sockets)) {
            kernel.each(new FlowFilter.Translated(family), flow -> {
                if (flow.zone() == 0 && !flow.replySource().equals(flow.destination())) {
                    visitor.accept(flow);
                }
            });
            return Optional.empty();
        } catch (NetlinkException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
