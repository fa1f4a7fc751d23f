package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.Set;

/** The way from views to images: planning, compiling and fingerprinting for one family, as one pure function per origin. */
public interface Layout {
    /** What {@code service} wants in the kernel. */
    FragmentImage service(ServiceView service, NodeView node);

    /** What the node wants whatever Services there are. */
    FragmentImage frame(NodeView node);

    /** Chains of ours that must be there and hold rules of many origins. Whatever else stands in them is deleted. */
    Set<ChainId> shared(NodeView node);

    /** Chains we share with others, the built-in ones apart, that must be there for a rule of ours. */
    Set<ChainId> guest(NodeView node);

    /** Tables the layout writes to. */
    Set<Table> tables();

    /** Whether a chain found in the kernel was made by us, so that it is deleted when nobody wants it any more. */
    boolean ours(ChainId chain);

    /** Rules of ours in built-in and guest chains; no other rule there is ever touched. */
    Set<Fingerprint> jumps(NodeView node);
}
