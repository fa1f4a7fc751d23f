package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.SyncResult.Totals;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.ServicePlan;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Totals of what is wanted, updated one Service at a time: two numbers are kept for each, not its plan. */
public final class SyncTotals {
    /** The share of one Service in the sums. */
    private record Share(int ports, int endpoints) {
        static final Share NONE = new Share(0, 0);

        static Share of(ServiceView view) {
            int endpoints = 0;
            for (PortView port : view.ports()) {
                endpoints += serving(port);
            }
            return new Share(view.ports().size(), endpoints);
        }

        /** The ready endpoints; when none is, those that are serving and terminating. */
        private static int serving(PortView port) {
            int ready = 0;
            int finishing = 0;
            for (Endpoint endpoint : port.endpoints()) {
                ready += endpoint.ready() ? 1 : 0;
                finishing += endpoint.servingTerminating() ? 1 : 0;
            }
            return ready > 0 ? ready : finishing;
        }
    }

    private final Map<ServiceKey, Share> shares = new HashMap<>();
    private int ports;
    private int endpoints;

    /** Adds or replaces a Service. */
    public void put(ServicePlan plan) {
        Share share = Share.of(plan.service());
        exchange(shares.put(plan.key(), share), share);
    }

    /** Removes a Service. */
    public void remove(ServiceKey key) {
        exchange(shares.remove(key), Share.NONE);
    }

    private void exchange(@Nullable Share before, Share after) {
        Share old = before == null ? Share.NONE : before;
        ports += after.ports - old.ports;
        endpoints += after.endpoints - old.endpoints;
    }

    /** Removes all Services. */
    public void clear() {
        shares.clear();
        ports = 0;
        endpoints = 0;
    }

    /** The counted Services. */
    public Set<ServiceKey> services() {
        return shares.keySet();
    }

    /** The totals with the chains and rules of an applied state; none when there is no such state. */
    public Totals totals(@Nullable AppliedState appliedState) {
        return appliedState == null ? totals(0, 0) : totals(appliedState.chainCount(), appliedState.ruleCount());
    }

    /** The totals with these numbers of chains and rules. */
    public Totals totals(int chains, int rules) {
        return new Totals(shares.size(), ports, endpoints, chains, rules);
    }
}
