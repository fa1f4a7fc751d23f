package io.dualstackd.explain;

import io.dualstackd.netlink.ip.IpPort;
import java.util.List;

/**
 * What else on this host a packet meets, whether of dualstackd or not: settings, routes, and base chains of nf_tables.
 *
 * @param legs the paths it may take, one for each group of destinations that meet the same
 * @param notSeen what was not examined, each in a few words
 */
public record HostPath(List<Leg> legs, List<String> notSeen) {
    /** What happens to the packet at one place; ordered from best to worst. */
    public enum Verdict {
        PASSES,
        /** Something that was not evaluated can drop it. */
        MAY_DROP,
        /** Something that was not evaluated can take it past the rules of Services. */
        MAY_BYPASS,
        /** A rule that was not evaluated can translate it instead of the rules of Services. */
        MAY_TRANSLATE,
        /** The rules of Services do not translate it: it is taken out of connection tracking, or accepted before. */
        BYPASSES,
        /** Another rule translates its destination before the rules of Services do. */
        TRANSLATES,
        DROPS
    }

    /**
     * One place on the path.
     *
     * @param what {@code ip filter FORWARD (hook forward, priority 0, policy drop)}
     * @param words the reason of the verdict; empty where there is nothing to add
     */
    public record Finding(String what, Verdict verdict, String words) {
        @Override
        public String toString() {
            return what
                    + switch (verdict) {
                        case PASSES -> words.isEmpty() ? "" : ": " + words;
                        case MAY_DROP -> ": MAY DROP it, " + words;
                        case MAY_TRANSLATE -> ": MAY TRANSLATE it before the rules of Services do, " + words;
                        case TRANSLATES -> ": TRANSLATES it before the rules of Services do, " + words;
                        case MAY_BYPASS -> ": MAY take it PAST the rules of Services, " + words;
                        case BYPASSES -> ": takes it PAST the rules of Services, " + words;
                        case DROPS -> ": DROPS it, " + words;
                    };
        }
    }

    /**
     * A path.
     *
     * @param to the destinations after translation, empty when it is the packet's own
     * @param findings in the order the packet meets them
     */
    public record Leg(List<IpPort> to, List<Finding> findings) {
        public Leg {
            to = List.copyOf(to);
            findings = List.copyOf(findings);
        }

        private boolean has(Verdict verdict) {
            return findings.stream().anyMatch(finding -> finding.verdict() == verdict);
        }

        /** The worst verdict on this path. */
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

    /** Whether the rules of Services do not see it, although they should translate it. */
    public boolean bypasses() {
        return legs.stream().anyMatch(leg -> leg.verdict() == Verdict.BYPASSES || leg.verdict() == Verdict.TRANSLATES);
    }

    /** Whether something that was not evaluated may drop it. */
    public boolean mayDrop() {
        return legs.stream().anyMatch(leg -> leg.has(Verdict.MAY_DROP));
    }

    /** Whether something that was not evaluated may take it past the rules of Services. */
    public boolean mayBypass() {
        return legs.stream().anyMatch(leg -> leg.has(Verdict.MAY_BYPASS) || leg.has(Verdict.MAY_TRANSLATE));
    }

    /** Whether it does not get where a Service sends it. */
    public boolean stops() {
        return drops() || bypasses();
    }
}
