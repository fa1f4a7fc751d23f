package io.dualstackd.dataplane.explain;

import io.dualstackd.netlink.ip.IpPort;
import java.util.List;

/**
 * What else of this host a packet meets, ours or not: settings, routes, and base chains of nf_tables.
 *
 * @param legs the ways it may go, one for each group of destinations that meet the same
 * @param notSeen what was not looked at, each in a few words
 */
public record HostPath(List<Leg> legs, List<String> notSeen) {
    /** What becomes of the packet at one place; the later ones are worse. */
    public enum Verdict {
        PASSES,
        /** Something that was not evaluated can drop it. */
        MAY_DROP,
        DROPS
    }

    /**
     * One thing on the way.
     *
     * @param what {@code ip filter FORWARD (hook forward, priority 0, policy drop)}
     * @param words why the verdict; empty where nothing is to be said
     */
    public record Finding(String what, Verdict verdict, String words) {
        @Override
        public String toString() {
            return what
                    + switch (verdict) {
                        case PASSES -> words.isEmpty() ? "" : ": " + words;
                        case MAY_DROP -> ": MAY DROP it, " + words;
                        case DROPS -> ": DROPS it, " + words;
                    };
        }
    }

    /**
     * A way.
     *
     * @param to the destinations behind every translation, none when it is the packet's own
     * @param findings in the order the packet meets them
     */
    public record Leg(List<IpPort> to, List<Finding> findings) {
        public Leg {
            to = List.copyOf(to);
            findings = List.copyOf(findings);
        }

        /** The worst on this way. */
        public Verdict verdict() {
            return findings.stream().map(Finding::verdict).reduce(Verdict.PASSES, (a, b) -> a.compareTo(b) > 0 ? a : b);
        }
    }

    public HostPath {
        legs = List.copyOf(legs);
        notSeen = List.copyOf(notSeen);
    }

    /** Whether some destination is not reached. */
    public boolean drops() {
        return legs.stream().anyMatch(leg -> leg.verdict() == Verdict.DROPS);
    }

    /** Whether something that was not evaluated may drop it. */
    public boolean mayDrop() {
        return legs.stream().anyMatch(leg -> leg.verdict() == Verdict.MAY_DROP);
    }
}
