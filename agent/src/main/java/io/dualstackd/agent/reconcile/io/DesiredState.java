package io.dualstackd.agent.reconcile.io;

import io.dualstackd.dataplane.io.WantedServices;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Set;

/** What one line asks the sources when its work starts. */
public interface DesiredState {
    /** Whether every source has said "this is all there is"; nothing is written before, nothing pruned. */
    boolean complete();

    /** What is to be known now; only called once {@link #complete}. */
    Snapshot snapshot();

    /**
     * The node as it is, what changed, and where to ask how it is now.
     *
     * @param addresses all the node has in the family; {@code node} holds only those that rules depend on
     * @param changed Services that may have changed since the last take, those that are gone included
     * @param wanted valid until the next take
     */
    record Snapshot(NodeView node, List<Ip> addresses, Set<ServiceKey> changed, WantedServices wanted) {}
}
