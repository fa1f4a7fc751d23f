package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The Services wanted in one family, made when asked for, so that nobody has to keep them. Valid during one {@link Syncer#run}.
 *
 * <p>An answer is never older than the change the pass was told of. It may be newer: that Service will be told as changed again,
 * and the pass then finds nothing to do. All changed Services are answered as of one moment, and so is {@link #forEach}; an address
 * that moves from one Service to another is never seen in both.
 */
public interface WantedServices {
    /** The Service as it is now; empty when it is gone or has nothing in this family. */
    Optional<ServiceView> find(ServiceKey key);

    /** Every Service that has something in this family, once, in no order; each can be forgotten before the next. */
    void forEach(Consumer<ServiceView> each);
}
