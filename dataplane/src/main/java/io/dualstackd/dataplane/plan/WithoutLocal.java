package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;

/**
 * The number of ports of Services whose traffic is dropped on this node because their policy is Local and no endpoint is. The same
 * numbers as in {@code ServicePlan}, without making a plan: this is computed for each of ten thousand Services.
 *
 * @param internal of the ClusterIP
 * @param external of everything else
 */
public record WithoutLocal(int internal, int external) {
    public static final WithoutLocal NONE = new WithoutLocal(0, 0);

    public static WithoutLocal of(ServiceView service) {
        int internal = 0;
        int external = 0;
        for (PortView view : service.ports()) {
            ServicePort port = view.port();
            if (port.usesLocalEndpoints() && onlyElsewhere(view)) {
                internal += port.internalPolicyLocal() ? 1 : 0;
                external += port.externalPolicyLocal() && port.externallyAccessible() ? 1 : 0;
            }
        }
        return internal + external == 0 ? NONE : new WithoutLocal(internal, external);
    }

    /** Whether some endpoint serves, but none on this node. */
    private static boolean onlyElsewhere(PortView view) {
        boolean somewhere = false;
        for (Endpoint endpoint : view.endpoints()) {
            if (endpoint.ready() || endpoint.servingTerminating()) {
                if (endpoint.local()) {
                    return false;
                }
                somewhere = true;
            }
        }
        return somewhere;
    }

    public WithoutLocal plus(WithoutLocal other) {
        return new WithoutLocal(internal + other.internal, external + other.external);
    }

    public WithoutLocal minus(WithoutLocal other) {
        return new WithoutLocal(internal - other.internal, external - other.external);
    }
}
