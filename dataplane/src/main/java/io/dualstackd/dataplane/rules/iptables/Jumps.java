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
     * the other one has. Those of kube-proxy's modes, too, some of which differ from these in the state that they ask for.
     */
    public static Set<Rule> ofAllModes(NodePlan node) {
        Stream<Rule> ours = Stream.of(FrameCompiler.jumps(node), IpvsFrameCompiler.jumps())
                .map(jumps -> jumps.values())
                .flatMap(Collection::stream)
                .flatMap(List::stream);
        return Stream.concat(ours, Ownership.knownJumps()).collect(Collectors.toUnmodifiableSet());
    }
}
