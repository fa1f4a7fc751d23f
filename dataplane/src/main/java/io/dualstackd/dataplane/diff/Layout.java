package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.Set;

/** Turns plans into images: compiling and fingerprinting for one family, as one pure function per origin. */
public interface Layout {
    /**
     * The image of {@code service}.
     *
     * @throws io.dualstackd.dataplane.plan.CompilationException for a bug
     */
    FragmentImage service(ServicePlan service, Planner planner);

    /** The image of the node, which does not depend on Services. */
    FragmentImage frame(Planner planner);

    /** Whether the images of the node and of all Services are the same with both planners. */
    boolean same(Planner before, Planner now);

    /** Own chains that must exist and hold rules of many origins. All other rules in them are deleted. */
    Set<ChainId> shared(Planner planner);

    /** Chains shared with other programs, the built-in ones apart, that must exist for a rule of dualstackd. */
    Set<ChainId> guest(Planner planner);

    /** Tables the layout writes to. */
    Set<Table> tables();

    /** Whether a chain found in the kernel was made by dualstackd, so that it is deleted when no origin wants it any more. */
    boolean ours(ChainId chain);

    /** Own rules in built-in and guest chains; no other rule there is ever touched. */
    Set<Fingerprint> jumps(Planner planner);
}
