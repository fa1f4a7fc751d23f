package io.dualstackd.agent.app;

import io.dualstackd.agent.metrics.FamilyMeter;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.supervision.sys.Platform;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The measurements of each family since the daemon started. */
final class Meters {
    private final Map<IpFamily, FamilyMeter> families = new EnumMap<>(IpFamily.class);
    private final Platform platform;
    private final Instant startedAt;

    Meters(Platform platform) {
        this.platform = platform;
        this.startedAt = platform.instant();
    }

    /** The meter of a family, created on first use. */
    synchronized FamilyMeter of(IpFamily family) {
        return families.computeIfAbsent(family, key -> new FamilyMeter(key, startedAt));
    }

    /** Something changed that a sync of the family must put in force. */
    void queued(IpFamily family) {
        of(family).queued(platform.instant(), platform.nanoTime());
    }

    /** The meter of every family that has a reconciler. */
    synchronized List<FamilyMeter> all() {
        return List.copyOf(families.values());
    }
}
