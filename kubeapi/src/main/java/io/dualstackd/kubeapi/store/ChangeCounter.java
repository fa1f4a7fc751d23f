package io.dualstackd.kubeapi.store;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts changes until they are taken. Not thread-safe; guarded by the lock of its owner. */
public final class ChangeCounter {
    /** Maximum number of triggers kept; further ones are only counted: no consumer takes them, and the delay is evident by then. */
    private static final int MOST_TRIGGERS = 4096;

    private long services;
    private long ipv4Slices;
    private long ipv6Slices;
    private final List<ChangeMetadata.Trigger> triggers = new ArrayList<>();

    /** A Service was added, changed or removed. */
    public void ofService() {
        services++;
    }

    /**
     * A slice was added or changed.
     *
     * @param before the previous slice; its trigger is not counted again
     */
    public void ofSlice(EndpointSlice now, Optional<EndpointSlice> before) {
        family(now).ifPresent(family -> {
            count(family);
            Optional<Instant> lastTrigger = before.flatMap(EndpointSlice::triggerTime);
            now.triggerTime()
                    .filter(time -> triggers.size() < MOST_TRIGGERS && !lastTrigger.equals(Optional.of(time)))
                    .ifPresent(time -> triggers.add(new ChangeMetadata.Trigger(family, time)));
        });
    }

    /** A slice was removed; the trigger in it belongs to an older change. */
    public void ofSliceGone(EndpointSlice last) {
        family(last).ifPresent(this::count);
    }

    private void count(IpFamily family) {
        switch (family) {
            case IPV4 -> ipv4Slices++;
            case IPV6 -> ipv6Slices++;
        }
    }

    private static Optional<IpFamily> family(EndpointSlice slice) {
        return switch (slice.addressType()) {
            case IPV4 -> Optional.of(IpFamily.IPV4);
            case IPV6 -> Optional.of(IpFamily.IPV6);
            case FQDN -> Optional.empty();
        };
    }

    /** Returns all changes so far. */
    public ChangeMetadata peek() {
        return services + ipv4Slices + ipv6Slices == 0
                ? ChangeMetadata.NONE
                : new ChangeMetadata(services, ipv4Slices, ipv6Slices, triggers);
    }

    /** Returns all changes so far, and resets the counter. */
    public ChangeMetadata take() {
        ChangeMetadata all = peek();
        services = 0;
        ipv4Slices = 0;
        ipv6Slices = 0;
        triggers.clear();
        return all;
    }
}
