package io.dualstackd.dataplane.flows;

import io.dualstackd.dataplane.flows.FlowIndex.Touched;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.IpPort;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Endpoints that are gone while connections to them may still be open, with the time at which these are to be deleted. */
final class Draining {
    /** Connections to a frontend that were translated to an endpoint. */
    record Way(Frontend frontend, IpPort endpoint) {}

    /** @param service the one that the endpoint belonged to */
    private record Due(ServiceKey service, Instant at) {}

    private final Duration after;
    private final FlowIndex index = new FlowIndex();
    /** Ordered by time, because the delay is the same for all. */
    private final Map<Way, Due> due = new LinkedHashMap<>();

    Draining(Duration after) {
        this.after = after;
    }

    FlowIndex index() {
        return index;
    }

    /** @param touched the frontends of that Service, by {@link FlowIndex#put} */
    void changed(ServiceKey service, List<Touched> touched, Instant now) {
        for (Touched one : touched) {
            for (IpPort endpoint : one.before()) {
                if (!index.serves(one.frontend(), endpoint)) {
                    Way way = new Way(one.frontend(), endpoint);
                    due.remove(way);
                    due.put(way, new Due(service, now.plus(after)));
                    StaleFlows.forgetOldest(due.keySet());
                }
            }
        }
    }

    /**
     * The connections whose time has come. Those whose endpoint came back are forgotten: there is nothing to do for them. Those whose frontend
     * is gone, and whose endpoint is not, may go on until it is.
     */
    Set<Way> due(Instant now) {
        Set<Way> ways = new LinkedHashSet<>();
        Map<Way, Due> later = new LinkedHashMap<>();
        Iterator<Map.Entry<Way, Due>> all = due.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Way, Due> one = all.next();
            if (one.getValue().at().isAfter(now)) {
                break;
            }
            Way way = one.getKey();
            ServiceKey service = one.getValue().service();
            if (index.serves(way.frontend(), way.endpoint())) {
                all.remove();
            } else if (index.has(service, way.endpoint())) {
                all.remove();
                later.put(way, new Due(service, now.plus(after)));
            } else {
                ways.add(way);
            }
        }
        due.putAll(later);
        return ways;
    }

    /** Removes everything due until then: it has been handled. */
    void done(Instant until) {
        due.values().removeIf(each -> !each.at().isAfter(until));
    }

    /** The time when the next one is due. */
    Optional<Instant> next() {
        return due.values().stream().findFirst().map(Due::at);
    }
}
