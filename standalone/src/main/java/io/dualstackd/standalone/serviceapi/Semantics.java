package io.dualstackd.standalone.serviceapi;

/** Which rules apply where an API server differs from the KEP that it implements. */
public enum Semantics {
    /** As Kubernetes 1.36 does it. */
    KUBERNETES("kubernetes"),
    /**
     * As KEP-563 describes it: two families or two cluster IPs without a policy mean {@code RequireDualStack}, and a headless Service
     * without selector and policy gets {@code PreferDualStack}, with families {@code [IPv4, IPv6]} unless it names one.
     */
    KEP_563("kep563");

    private final String label;

    Semantics(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
