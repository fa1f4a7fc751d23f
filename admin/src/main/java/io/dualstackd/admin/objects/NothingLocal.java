package io.dualstackd.admin.objects;

import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.view.ServiceViews;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The families in which a Service drops traffic on this node, because a traffic policy is Local and no endpoint serves on it. */
final class NothingLocal {
    private final Map<IpFamily, WithoutLocal> families = new EnumMap<>(IpFamily.class);
    /** Whether one family has local endpoints and another has none. */
    private final boolean uneven;

    private NothingLocal(ObjectsReport report, ObjectKey key) {
        boolean served = false;
        // Topology and the node's address have no influence on traffic that stays on the node.
        ServicePlanner planner = new ServicePlanner(report.node(), "", Optional.empty());
        for (ServiceState state : report.services()) {
            if (state.service().filter(s -> s.key().equals(key)).isEmpty()) {
                continue;
            }
            for (IpFamily family : IpFamily.values()) {
                ServiceView view = ServiceViews.of(
                        state.service().orElseThrow(), state.slices(), family, report.node(), state.lost());
                WithoutLocal without = planner.plan(view).withoutLocal();
                if (!without.equals(WithoutLocal.NONE)) {
                    families.put(family, without);
                } else {
                    served |= view.ports().stream()
                            .anyMatch(port -> port.port().usesLocalEndpoints()
                                    && port.endpoints().stream().anyMatch(e -> e.local() && e.ready()));
                }
            }
        }
        uneven = served && !families.isEmpty();
    }

    static NothingLocal of(ObjectsReport report, String namespace, String name) {
        return new NothingLocal(report, new ObjectKey(ObjectKey.Kind.SERVICE, namespace, name));
    }

    /** The effect on the traffic of a family; empty when the policy drops none. */
    List<String> words(IpFamily family) {
        WithoutLocal without = families.getOrDefault(family, WithoutLocal.NONE);
        List<String> words = new ArrayList<>();
        if (without.internal() > 0) {
            words.add(
                    "internalTrafficPolicy is Local: what pods and processes of this node send to the ClusterIP is dropped");
        }
        if (without.external() > 0) {
            words.add("externalTrafficPolicy is Local: what comes from outside to this node is dropped");
        }
        return words;
    }

    /**
     * The problems. On most nodes of a cluster a Service has no local endpoint, as the policy intends; it is a problem only if just one
     * family has none.
     */
    List<String> warnings() {
        if (!uneven) {
            return List.of();
        }
        return families.keySet().stream()
                .map(family -> "Nothing local here on " + family + ", though the other family has an endpoint on this"
                        + " node: " + String.join("; ", words(family)) + ".")
                .toList();
    }
}
