package io.dualstackd.pages.metrics;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.WithoutLocal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The Services that have ports without a local endpoint, and the number of such ports. Only these Services are remembered. Used by one
 * thread.
 */
public final class ServicesWithoutLocal {
    private final Map<ServiceKey, WithoutLocal> services = new HashMap<>();
    private WithoutLocal sum = WithoutLocal.NONE;

    /** @param now empty when the Service is gone */
    public void put(ServiceKey key, Optional<ServicePlan> now) {
        WithoutLocal share = now.map(ServicePlan::withoutLocal).orElse(WithoutLocal.NONE);
        WithoutLocal before = share.equals(WithoutLocal.NONE) ? services.remove(key) : services.put(key, share);
        sum = sum.plus(share).minus(before == null ? WithoutLocal.NONE : before);
    }

    public void clear() {
        services.clear();
        sum = WithoutLocal.NONE;
    }

    /** The total of such ports of all Services. */
    public WithoutLocal sum() {
        return sum;
    }
}
