package io.dualstackd.agent.reconcile.io;

import io.dualstackd.dataplane.model.ServiceKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The Services of one family whose rules cannot be computed because of a bug of dualstackd; each is left out until it changes or is retried.
 * Used by one thread.
 */
public final class BrokenServices {
    private final Map<ServiceKey, String> errors = new HashMap<>();

    public void add(ServiceKey service, RuntimeException bug) {
        errors.put(service, "internal error: the rules of " + service + " cannot be computed: " + bug);
    }

    void retryAll() {
        errors.clear();
    }

    /** These are tried again. */
    void changed(Set<ServiceKey> services) {
        if (!errors.isEmpty()) {
            services.forEach(errors::remove);
        }
    }

    boolean contains(ServiceKey service) {
        return errors.containsKey(service);
    }

    /** Why each is left out. */
    Map<ServiceKey, String> errors() {
        return Map.copyOf(errors);
    }
}
