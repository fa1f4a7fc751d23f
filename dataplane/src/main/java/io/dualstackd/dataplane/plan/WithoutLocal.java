package io.dualstackd.dataplane.plan;

/**
 * The number of ports of Services whose traffic is dropped on this node because their policy is Local and no endpoint is;
 * {@code kubeproxy_sync_proxy_rules_no_local_endpoints_total} counts them.
 *
 * @param internal of the ClusterIP
 * @param external of everything else
 */
public record WithoutLocal(int internal, int external) {
    public static final WithoutLocal NONE = new WithoutLocal(0, 0);

    public WithoutLocal plus(WithoutLocal other) {
        return new WithoutLocal(internal + other.internal, external + other.external);
    }

    public WithoutLocal minus(WithoutLocal other) {
        return new WithoutLocal(internal - other.internal, external - other.external);
    }
}
