package io.dualstackd.admin.top;

import io.dualstackd.admin.objects.Frontends;
import io.dualstackd.dataplane.counters.TranslatedFlows;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many tracked connections each frontend has at one moment, by the endpoint that answers. Others are not kept, so the size depends on
 * the Services and not on the connections.
 */
public final class ActiveFlows {
    private static final Ip ANY_4 = Ip.parse("0.0.0.0");
    private static final Ip ANY_6 = Ip.parse("::");

    private final Map<Destination, Map<IpPort, Integer>> counts = new HashMap<>();
    private Optional<String> failed = Optional.empty();

    /** @param address of a node port the one that stands for all */
    private record Destination(Ip address, Proto protocol, int port) {
        static Destination of(Frontends.Row row) {
            return new Destination(row.address(), row.port().name().protocol(), row.number());
        }
    }

    ActiveFlows(Traffic traffic) {
        traffic.rows().forEach(row -> counts.put(Destination.of(row.frontend()), new HashMap<>()));
    }

    /** Lists the connections of all families. Blocks until the kernel has listed them. */
    public static ActiveFlows read(Traffic traffic, List<TranslatedFlows> sources) {
        ActiveFlows flows = new ActiveFlows(traffic);
        for (TranslatedFlows source : sources) {
            source.each(flow -> flows.add(flow.protocol(), flow.destination(), flow.replySource()))
                    .ifPresent(why -> flows.failed = Optional.of(why));
        }
        return flows;
    }

    /** Counts a connection. One to no other frontend may be one to a node port, on any address of the node. */
    void add(Proto protocol, IpPort destination, IpPort endpoint) {
        Map<IpPort, Integer> of = at(destination.ip(), protocol, destination.port());
        if (of == null) {
            Ip any = destination.ip().family() == IpFamily.IPV4 ? ANY_4 : ANY_6;
            of = at(any, protocol, destination.port());
        }
        if (of != null) {
            of.merge(endpoint, 1, Integer::sum);
        }
    }

    private @Nullable Map<IpPort, Integer> at(Ip address, Proto protocol, int port) {
        return counts.get(new Destination(address, protocol, port));
    }

    /** Why they are not known. */
    public Optional<String> failed() {
        return failed;
    }

    /** Those of a frontend; empty when they are not known. */
    Optional<Integer> of(Frontends.Row row) {
        return failed.isPresent()
                ? Optional.empty()
                : Optional.of(byEndpoint(row).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum());
    }

    /** Those of a frontend, by endpoint, also those that get no new ones. */
    Map<IpPort, Integer> byEndpoint(Frontends.Row row) {
        return counts.getOrDefault(Destination.of(row), Map.of());
    }
}
