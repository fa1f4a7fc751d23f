package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.watch.ChangedObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pass that is told views instead of asking for them: keeps what it was told, and answers from it. */
public final class PushedPass implements AutoCloseable {
    private final Syncer syncer;
    private final Map<ServiceKey, ServiceView> views = new HashMap<>();
    private @Nullable Planner planner;

    public PushedPass(Syncer syncer) {
        this.syncer = syncer;
    }

    /** @param changed the Services that changed, with their new views; nothing for one that is gone */
    public SyncResult run(NodeView node, Map<ServiceKey, Optional<ServiceView>> changed) {
        changed.forEach((key, view) -> {
            if (view.isPresent()) {
                views.put(key, view.get());
            } else {
                views.remove(key);
            }
        });
        Planner known = planner;
        Planner now = known != null && known.node().equals(node) ? known : Planner.of(node);
        planner = now;
        return syncer.run(now, changed.keySet(), new GivenPlans(now, views));
    }

    public void distrust(Set<ChangedObject> changes) {
        syncer.invalidate(changes);
    }

    public void forget() {
        syncer.invalidateAll();
    }

    /** Forgets when somebody else may have changed the rules; says whether it did. */
    public boolean forgetIfChanged() {
        boolean changed = syncer.changedByOthers();
        if (changed) {
            syncer.invalidateAll();
        }
        return changed;
    }

    public void forgive() {
        syncer.retryRefused();
    }

    @Override
    public void close() {
        syncer.close();
    }
}
