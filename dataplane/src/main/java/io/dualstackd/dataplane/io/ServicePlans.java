package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.ServicePlan;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The plans of all Services of one family, made on request, so that they need not be kept. Valid during one {@link Syncer#run}.
 *
 * <p>A plan is never older than the change passed to the sync. It may be newer: then that Service is reported as changed again, and
 * the sync finds nothing to do. The plans of all changed Services are of one moment, and so are those of {@link #forEach}; an
 * address that moves from one Service to another is never seen in both.
 */
public interface ServicePlans {
    /** The plan of the Service as it is now; empty when it is gone or has nothing in this family. */
    Optional<ServicePlan> find(ServiceKey key);

    /** Passes the plan of every Service that has something in this family, once, in no order; each can be discarded before the next. */
    void forEach(Consumer<ServicePlan> each);
}
