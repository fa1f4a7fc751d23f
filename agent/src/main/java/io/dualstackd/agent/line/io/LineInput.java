package io.dualstackd.agent.line.io;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import java.util.Map;
import java.util.Optional;

/** What one line asks the sources when its work starts. */
public interface LineInput {
    /** Whether every source has said "this is all there is"; nothing is written before, nothing pruned. */
    boolean complete();

    /** What is to be known now; only called once {@link #complete}. */
    Taken take();

    /**
     * The node as it is, and what changed.
     *
     * @param services changed since the last take, as they are now; nothing for one that is gone
     */
    record Taken(NodeView node, Map<ServiceKey, Optional<ServiceView>> services) {}
}
