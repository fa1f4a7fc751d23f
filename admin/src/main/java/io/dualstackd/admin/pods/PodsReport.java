package io.dualstackd.admin.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.RuntimeReport;
import java.time.Instant;
import java.util.List;

/**
 * The pods of this node.
 *
 * @param hostIps the node's primary and, if there is one, secondary address
 * @param madeAt when this report was made
 */
public record PodsReport(String node, List<Ip> hostIps, Pods pods, RuntimeReport runtime, Instant madeAt) {
    public PodsReport {
        hostIps = List.copyOf(hostIps);
    }

    /** True when the runtime answered the last request, so that the pods are up to date. */
    public boolean isFresh() {
        return runtime.outage().isEmpty() && runtime.listed().isPresent();
    }
}
