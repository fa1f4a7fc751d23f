package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Sticky;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the endpoint lists of a Service's ports with session affinity, while its destinations are compiled. */
final class AffinityDraft {
    private final Map<String, Found> lists = new LinkedHashMap<>();

    private record Found(PortPlan plan, boolean local, int timeoutSeconds, List<Sticky.Entry> destinations) {}

    /** @param local whether {@code destination} leads to the endpoints of this node, or to all */
    void add(PortPlan plan, Lane lane, Bytes destination, boolean local, int timeoutSeconds) {
        String chain = ObjectNames.list(plan.port().name(), local);
        lists.computeIfAbsent(chain, ignored -> new Found(plan, local, timeoutSeconds, new ArrayList<>()))
                .destinations()
                .add(new Sticky.Entry(lane, destination));
    }

    List<Sticky> finish() {
        List<Sticky> finished = new ArrayList<>(lists.size());
        lists.forEach((chain, found) -> {
            ServicePortName name = found.plan().port().name();
            List<Backend> endpoints =
                    found.local() ? found.plan().local() : found.plan().cluster();
            finished.add(new Sticky(
                    chain,
                    found.destinations(),
                    endpoints.stream()
                            .map(backend -> ObjectNames.endpoint(name, backend.address()))
                            .toList(),
                    found.timeoutSeconds(),
                    name.protocol()));
        });
        return finished;
    }
}
