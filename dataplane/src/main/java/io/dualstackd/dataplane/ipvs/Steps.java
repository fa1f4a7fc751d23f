package io.dualstackd.dataplane.ipvs;

import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes in an order that does not disturb traffic.
 *
 * @param before removals to make before the rules change: addresses, then virtual servers
 * @param after additions to make after the rules changed: virtual servers, destinations, and at last addresses
 */
public record Steps(List<Step> before, List<Step> after) {
    public Steps {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** Those of {@link #after} that change the destinations of virtual servers that are there: they need no rules. */
    public List<Step> ofStandingServers() {
        Set<IpvsKey> made = after.stream()
                .flatMap(step -> step instanceof Step.Change(var _, IpvsChange.AddService(IpvsService service))
                        ? Stream.of(service.key())
                        : Stream.of())
                .collect(Collectors.toSet());
        return after.stream()
                .filter(step -> step instanceof Step.Change(var _, IpvsChange change)
                        && isOfDestination(change)
                        && !made.contains(change.key()))
                .toList();
    }

    private static boolean isOfDestination(IpvsChange change) {
        return switch (change) {
            case IpvsChange.AddDestination _, IpvsChange.SetDestination _, IpvsChange.DeleteDestination _ -> true;
            case IpvsChange.AddService _, IpvsChange.SetService _, IpvsChange.DeleteService _ -> false;
        };
    }

    public int size() {
        return before.size() + after.size();
    }
}
