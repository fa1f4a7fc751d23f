package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.ReflectorState;
import io.dualstackd.kubeapi.client.Resource;
import io.dualstackd.kubeapi.client.VersionTracker;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.supervision.Backoff;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the changes of one resource to the store; those that the store cannot take are offered again later. */
final class StoreWriter {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private final Resource resource;
    private final ReflectorContext around;
    private final VersionTracker versionTracker;
    /** When updates that the store could not take are offered again. */
    private @Nullable ScheduledFuture<?> offer;

    private int offers;
    private boolean closed;

    StoreWriter(Resource resource, ReflectorContext around, VersionTracker versionTracker) {
        this.resource = resource;
        this.around = around;
        this.versionTracker = versionTracker;
    }

    /** Passes on all changes that are due. */
    void apply() {
        List<Update> updates = versionTracker.due();
        if (updates.isEmpty()) {
            return;
        }
        try {
            around.store().accept(updates);
        } catch (RuntimeException e) {
            LOG.error("changes could not be taken together, trying one by one resource={}", resource.name(), e);
            applyEach(updates);
        }
        versionTracker.taken();
    }

    /** Applies updates one by one: one that cannot be taken must not prevent the others, and is offered again later. */
    private void applyEach(List<Update> updates) {
        boolean all = true;
        for (Update update : updates) {
            try {
                around.store().accept(List.of(update));
                versionTracker.taken(update);
            } catch (RuntimeException e) {
                all = false;
                if (versionTracker.refused(update, "cannot be put in force: " + e)) {
                    LOG.error("change could not be taken, trying again later object=\"{}\"", update.key(), e);
                }
            }
        }
        offers = all ? 0 : offers + 1;
        if (!all && (offer == null || offer.isDone())) {
            ReflectorState.Waits waits = around.apiTimeouts().retries();
            offer = around.dialer()
                    .loop()
                    .schedule(this::offerAgain, new Backoff(waits.first(), waits.longest()).after(offers));
        }
    }

    private void offerAgain() {
        if (!closed && versionTracker.tryAgain()) {
            offer = null;
            List<Update> updates = List.copyOf(versionTracker.due());
            applyEach(updates);
            versionTracker.taken();
        }
    }

    void close() {
        closed = true;
    }
}
