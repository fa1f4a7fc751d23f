package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import java.time.Instant;
import java.util.Set;

/** Tells a sweep what a pass was told. */
public final class Noted {
    private Noted() {}

    public static void note(
            StaleFlowSweep sweep, NodeView node, Set<ServiceKey> changed, WantedServices wanted, Instant now) {
        sweep.note(node);
        changed.forEach(key -> sweep.note(key, wanted.find(key), now));
    }
}
