package io.dualstackd.dataplane.flows;

import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.conntrack.FlowView;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which flows to list, and which of them to delete.
 *
 * @param filters dumps that together list every flow that may be stale, and others
 * @param stale the verdict on each flow listed
 * @param asOf the time it was made for
 */
public record SweepPlan(List<FlowFilter> filters, Predicate<FlowView> stale, Instant asOf) {
    public SweepPlan {
        filters = List.copyOf(filters);
    }
}
