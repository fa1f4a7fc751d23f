package io.dualstackd.pages.metrics;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.EnumMap;
import java.util.Map;

/**
 * The attempts to connect on this node since the first reading of this process, by family. The kernel's totals are not what Prometheus needs:
 * a new process does not know what was counted at rules that are gone, so they fall at a restart, and {@code increase()} takes any fall for
 * a reset to zero and counts everything again. Thread-safe.
 */
public final class TotalsSinceStart {
    private final Map<IpFamily, Attempts> lastRead = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, Attempts> totals = new EnumMap<>(IpFamily.class);

    /** The totals of a family after a reading; never less than before. */
    public synchronized Attempts after(IpFamily family, Attempts read) {
        Attempts before = lastRead.getOrDefault(family, read);
        lastRead.put(family, read);
        Attempts more = new Attempts(
                Math.max(0, read.connections() - before.connections()),
                Math.max(0, read.refused() - before.refused()),
                Math.max(0, read.dropped() - before.dropped()));
        return totals.merge(family, more, Attempts::plus);
    }
}
