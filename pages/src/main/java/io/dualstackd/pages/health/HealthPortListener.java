package io.dualstackd.pages.health;

import io.dualstackd.dataplane.model.ServiceKey;

/** Receives health-check node ports that cannot be opened, once for each reason. */
@FunctionalInterface
public interface HealthPortListener {
    /** Called on the thread of a reconciler; must not block. */
    void cannotListen(ServiceKey service, Listening where, String reason);
}
