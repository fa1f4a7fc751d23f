package io.dualstackd.kubeapi.store;

import io.dualstackd.netlink.ip.IpFamily;
import java.time.Instant;
import java.util.List;

/**
 * Counts of the individual changes behind {@link Changes}, which holds only their result. For metrics; changes before the sources were read
 * completely are not counted.
 *
 * @param services changes of Services, which concern both families
 * @param ipv4Slices changes of slices
 * @param triggers not necessarily of all these slices
 */
public record ChangeMetadata(long services, long ipv4Slices, long ipv6Slices, List<Trigger> triggers) {
    public static final ChangeMetadata NONE = new ChangeMetadata(0, 0, 0, List.of());

    public ChangeMetadata {
        triggers = List.copyOf(triggers);
    }

    /**
     * A change of endpoints, somewhere in the cluster.
     *
     * @param at by the clock of the component that first noticed it
     */
    public record Trigger(IpFamily family, Instant at) {}

    /** The number of changes that concern a family. */
    public Counts counts(IpFamily family) {
        return new Counts(
                services,
                switch (family) {
                    case IPV4 -> ipv4Slices;
                    case IPV6 -> ipv6Slices;
                });
    }

    /** Numbers of changes that concern one family. */
    public record Counts(long services, long slices) {
        public static final Counts NONE = new Counts(0, 0);

        public Counts plus(Counts other) {
            return new Counts(services + other.services, slices + other.slices);
        }

        /** The larger number of each kind. */
        public Counts atLeast(Counts other) {
            return new Counts(Math.max(services, other.services), Math.max(slices, other.slices));
        }
    }
}
