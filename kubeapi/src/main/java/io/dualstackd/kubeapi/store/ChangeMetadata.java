package io.dualstackd.kubeapi.store;

import io.dualstackd.netlink.ip.IpFamily;
import java.time.Instant;
import java.util.List;

/**
 * News that came one by one, where {@link Changes} holds only what came of them. For measuring; of what there was before the
 * sources were read completely, nothing is counted.
 *
 * @param services news of Services, of interest to both families
 * @param ipv4Slices news of slices
 * @param triggers not necessarily of all these slices
 */
public record ChangeMetadata(long services, long ipv4Slices, long ipv6Slices, List<Trigger> triggers) {
    public static final ChangeMetadata NONE = new ChangeMetadata(0, 0, 0, List.of());

    public ChangeMetadata {
        triggers = List.copyOf(triggers);
    }

    /**
     * Something happened to endpoints, somewhere in the cluster.
     *
     * @param at by the clock of whoever noticed it first
     */
    public record Trigger(IpFamily family, Instant at) {}

    /** How many are of interest to a family. */
    public Counts counts(IpFamily family) {
        return new Counts(
                services,
                switch (family) {
                    case IPV4 -> ipv4Slices;
                    case IPV6 -> ipv6Slices;
                });
    }

    /** Numbers of news of interest to one family. */
    public record Counts(long services, long slices) {
        public static final Counts NONE = new Counts(0, 0);

        public Counts plus(Counts other) {
            return new Counts(services + other.services, slices + other.slices);
        }
    }
}
