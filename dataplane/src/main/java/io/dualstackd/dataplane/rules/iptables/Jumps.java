package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.plan.NodePlan;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The jumps from built-in chains to own chains. */
public final class Jumps {
    private Jumps() {}

    /**
     * The jumps of iptables mode and of IPVS mode: they share chains, so a change of the mode is one transaction that removes what only
     * the other one has.
     */
    public static Set<Rule> ofAllModes(NodePlan node) {
        return Stream.of(FrameCompiler.jumps(node), IpvsFrameCompiler.jumps())
                .map(jumps -> jumps.values())
                .flatMap(Collection::stream)
                .flatMap(List::stream)
                .collect(Collectors.toUnmodifiableSet());
    }
}
