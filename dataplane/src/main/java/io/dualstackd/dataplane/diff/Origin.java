package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;

/** On whose behalf an operation is done: who is to blame, and can be left out, when the kernel refuses it. */
public sealed interface Origin {
    /** The rules every node has. */
    record Node() implements Origin {}

    record OfService(ServiceKey service) implements Origin {}

    /** Something of ours that nobody wants any more, found in the kernel. */
    record Leftover(ChainId chain) implements Origin {}

    Origin NODE = new Node();
}
