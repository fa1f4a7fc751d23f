package io.dualstackd.node.report;

/** Receives events: an API server, or the daemon's own memory where there is none. Called from any thread; never blocks. */
@FunctionalInterface
public interface EventSink {
    /** An event happened now. */
    void happened(ClusterEvent clusterEvent);
}
