package io.dualstackd.dataplane.ipvs;

import java.util.List;

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

    public int size() {
        return before.size() + after.size();
    }
}
