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

/** A {@link Syncer} for tests that pass views: it keeps them, and makes the plans from them. */
public final class ViewSyncer implements AutoCloseable {
    private final Syncer syncer;
    private final Map<ServiceKey, ServiceView> views = new HashMap<>();
    private @Nullable Planner planner;

    public ViewSyncer(Syncer syncer) {
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
        return syncer.run(now, changed.keySet(), new FixedPlans(now, views));
    }

    public void invalidate(Set<ChangedObject> changes) {
        syncer.invalidate(changes);
    }

    public void invalidateAll() {
        syncer.invalidateAll();
    }

    /** Whether another program may have changed the rules. */
    boolean isChanged() {
        return syncer.changedByOthers();
    }

    public boolean changedByOthers() {
        return syncer.changedByOthers();
    }

    /** Invalidates the applied state if another program may have changed the rules; returns whether it did. */
    public boolean invalidateIfChanged() {
        boolean changed = syncer.changedByOthers();
        if (changed) {
            syncer.invalidateAll();
        }
        return changed;
    }

    public void retryRefused() {
        syncer.retryRefused();
    }

    @Override
    public void close() {
        syncer.close();
    }
}
