package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;

/** The origin an operation is made for: the one to leave out when the kernel refuses the operation. */
public sealed interface Origin {
    /** The rules every node has. */
    record Node() implements Origin {}

    record OfService(ServiceKey service) implements Origin {}

    /** A chain of dualstackd found in the kernel that no origin wants any more. */
    record Leftover(ChainId chain) implements Origin {}

    Origin NODE = new Node();
}
