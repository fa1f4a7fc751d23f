package io.dualstackd.dataplane.counters;

import io.dualstackd.netlink.conntrack.FlowView;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Optional;
import java.util.function.Consumer;

/** The tracked connections of one family that a translation sent elsewhere, read when asked and at no other time. Safe for use by several threads. */
public interface TranslatedFlows {
    IpFamily family();

    /** Passes each of them to a visitor; returns why that failed. Blocks until the kernel has listed them. */
    Optional<String> each(Consumer<FlowView> visitor);
}
