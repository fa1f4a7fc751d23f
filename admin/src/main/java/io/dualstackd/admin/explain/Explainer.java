package io.dualstackd.admin.explain;

import io.dualstackd.explain.Explanation;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Explains what happens to packets on this node. */
public interface Explainer {
    /** Why this host has no rules for a family, in a sentence; empty when it has. */
    default Optional<String> unserved(IpFamily family) {
        return Optional.empty();
    }

    /** That the host has no interface of that name, in a sentence; empty when it has, or it is not known. */
    default Optional<String> missing(String link) {
        return Optional.empty();
    }

    /** The interface that packets of a pod come in through, where that is how the node knows its pods; empty where it is not, or not known. */
    default Optional<String> podInterface(Ip pod) {
        return Optional.empty();
    }

    /** Explains a packet of a family that is served. May be called from any thread; takes as long as the kernel needs for some requests. */
    Explanation explain(ExplainRequest explainRequest);

    /**
     * Follows real packets. May be called from any thread; takes as long as the request says.
     *
     * @param seen receives each packet as soon as its way is known, on another thread
     * @param gone whether the result is not wanted any more
     */
    default TraceReport trace(TraceRequest traceRequest, Consumer<TraceReport.Packet> seen, BooleanSupplier gone)
            throws InterruptedException {
        return new TraceReport.Refused("packets cannot be traced here");
    }
}
