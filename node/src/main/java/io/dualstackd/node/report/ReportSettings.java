package io.dualstackd.node.report;

import java.util.Optional;

/**
 * What to say to the API server beside events.
 *
 * @param nodeAddresses what to do about the addresses of the own Node object; empty: nothing
 * @param podIps compare the addresses in pods' statuses with what the container runtime says
 */
public record ReportSettings(Optional<AddressManagement> nodeAddresses, boolean podIps) {
    /** Events alone. */
    public static final ReportSettings NONE = new ReportSettings(Optional.empty(), false);
}
