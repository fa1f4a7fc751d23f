package io.dualstackd.agent.reconcile.io;

import io.dualstackd.dataplane.io.WantedServices;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Set;

/** The input of one reconciler, read from the sources when a sync starts. */
public interface DesiredState {
    /** Whether every source has been read completely; before that, nothing is written and nothing is pruned. */
    boolean complete();

    /** Takes the current state; only called once {@link #complete}. */
    Snapshot snapshot();

    /**
     * The current state of the node, what changed, and the source of the current Services.
     *
     * @param addresses all addresses of the node in the family; {@code node} holds only those that rules depend on
     * @param changed Services that may have changed since the last take, including those that are gone
     * @param wanted valid until the next take
     */
    record Snapshot(NodeView node, List<Ip> addresses, Set<ServiceKey> changed, WantedServices wanted) {}
}
