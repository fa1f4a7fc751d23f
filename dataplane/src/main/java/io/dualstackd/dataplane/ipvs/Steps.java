package io.dualstackd.dataplane.ipvs;

import java.util.List;

/**
 * Changes in an order that no packet notices.
 *
 * @param before what must go while its rules still stand: addresses, then virtual servers
 * @param after what may come once its rules stand: virtual servers, destinations, and at last addresses
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
