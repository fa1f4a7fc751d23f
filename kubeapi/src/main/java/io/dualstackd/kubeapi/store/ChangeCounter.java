package io.dualstackd.kubeapi.store;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts news until somebody takes them. Guarded by whoever owns it. */
public final class ChangeCounter {
    /** More triggers than this are only counted: nobody is taking them, and how late they will be is clear by then. */
    private static final int MOST_TRIGGERS = 4096;

    private long services;
    private long ipv4Slices;
    private long ipv6Slices;
    private final List<ChangeMetadata.Trigger> triggers = new ArrayList<>();

    /** A Service came, changed or went. */
    public void ofService() {
        services++;
    }

    /**
     * A slice came or changed.
     *
     * @param before as it was; its trigger is no news
     */
    public void ofSlice(EndpointSlice now, Optional<EndpointSlice> before) {
        family(now).ifPresent(family -> {
            count(family);
            Optional<Instant> told = before.flatMap(EndpointSlice::triggerTime);
            now.triggerTime()
                    .filter(time -> triggers.size() < MOST_TRIGGERS && !told.equals(Optional.of(time)))
                    .ifPresent(time -> triggers.add(new ChangeMetadata.Trigger(family, time)));
        });
    }

    /** A slice went; the trigger in it is that of an older change. */
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

    /** All so far. */
    public ChangeMetadata look() {
        return services + ipv4Slices + ipv6Slices == 0
                ? ChangeMetadata.NONE
                : new ChangeMetadata(services, ipv4Slices, ipv6Slices, triggers);
    }

    /** All so far, and begins anew. */
    public ChangeMetadata take() {
        ChangeMetadata all = look();
        services = 0;
        ipv4Slices = 0;
        ipv6Slices = 0;
        triggers.clear();
        return all;
    }
}
