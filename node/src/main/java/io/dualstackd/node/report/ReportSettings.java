package io.dualstackd.node.report;

import java.util.Optional;

/**
 * What to report to the API server in addition to events.
 *
 * @param nodeAddresses how to manage the addresses of the own Node object; empty: not at all
 * @param podIps compare the addresses in pods' statuses with those of the container runtime
 */
public record ReportSettings(Optional<AddressManagement> nodeAddresses, boolean podIps) {
    /** Only events. */
    public static final ReportSettings NONE = new ReportSettings(Optional.empty(), false);
}
