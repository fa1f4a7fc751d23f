package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.Set;

/** Turns views into images: planning, compiling and fingerprinting for one family, as one pure function per origin. */
public interface Layout {
    /** The image of {@code service}. */
    FragmentImage service(ServiceView service, NodeView node);

    /** The image of the node, which does not depend on Services. */
    FragmentImage frame(NodeView node);

    /** Own chains that must exist and hold rules of many origins. All other rules in them are deleted. */
    Set<ChainId> shared(NodeView node);

    /** Chains shared with other programs, the built-in ones apart, that must exist for a rule of dualstackd. */
    Set<ChainId> guest(NodeView node);

    /** Tables the layout writes to. */
    Set<Table> tables();

    /** Whether a chain found in the kernel was made by dualstackd, so that it is deleted when no origin wants it any more. */
    boolean ours(ChainId chain);

    /** Own rules in built-in and guest chains; no other rule there is ever touched. */
    Set<Fingerprint> jumps(NodeView node);
}
