package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.ipvs.FoundServers;
import io.dualstackd.dataplane.ipvs.Step;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The virtual servers of one family, and the link that holds their addresses. Used by one thread. */
interface IpvsKernel extends AutoCloseable {
    /** The result of making changes. */
    sealed interface Done {
        /** @param refused the changes the kernel refused, except where it held their result before; all others are made */
        record Made(List<RefusedStep> refused, int messages, long bytes) implements Done {
            public Made {
                refused = List.copyOf(refused);
            }
        }

        /** It is not known which changes were made. */
        record Unreachable(String reason) implements Done {}
    }

    /** A change that the kernel refused, and its message. */
    record RefusedStep(Step step, String kernelSays) {}

    /** The state that can be read without a request for each virtual server. */
    record Outline(Map<IpvsKey.At, IpvsService> servers, Set<Ip> addresses) {}

    ReadResult<FoundServers> read();

    ReadResult<Outline> outline();

    /** The weights of the destinations of a virtual server, as in {@link FoundServers#weight}. */
    ReadResult<Map<IpPort, Integer>> weights(IpvsKey.At server);

    /** Returns those of {@code destinations} that have no connections any more, or that are gone. */
    ReadResult<Set<IpPort>> idle(IpvsKey.At server, Set<IpPort> destinations);

    /** Makes changes in their order. */
    Done make(List<Step> steps);

    @Override
    void close();
}
