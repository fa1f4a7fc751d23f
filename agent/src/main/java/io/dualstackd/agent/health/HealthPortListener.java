package io.dualstackd.agent.health;

import io.dualstackd.dataplane.model.ServiceKey;

/** Hears of health-check node ports that cannot be opened, once for each reason. */
@FunctionalInterface
public interface HealthPortListener {
    /** On the thread of a line; must not block. */
    void cannotListen(ServiceKey service, Listening where, String reason);
}
