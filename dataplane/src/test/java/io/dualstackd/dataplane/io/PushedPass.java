package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.watch.ChangedObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A pass that is told views instead of asking for them: keeps what it was told, and answers from it. */
public final class PushedPass implements AutoCloseable {
    private final Syncer syncer;
    private final Map<ServiceKey, ServiceView> views = new HashMap<>();
    private final WantedServices wanted = new WantedServices() {
        @Override
        public Optional<ServiceView> find(ServiceKey key) {
            return Optional.ofNullable(views.get(key));
        }

        @Override
        public void forEach(Consumer<ServiceView> each) {
            views.values().forEach(each);
        }
    };

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
        return syncer.run(node, changed.keySet(), wanted);
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
