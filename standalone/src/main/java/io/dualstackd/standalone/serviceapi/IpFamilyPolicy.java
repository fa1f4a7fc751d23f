package io.dualstackd.standalone.serviceapi;

/** {@code spec.ipFamilyPolicy}: how many IP families a Service has. */
public enum IpFamilyPolicy {
    /** One. */
    SINGLE_STACK("SingleStack"),
    /** Two where the cluster has two. */
    PREFER_DUAL_STACK("PreferDualStack"),
    /** Two, or the Service is refused. */
    REQUIRE_DUAL_STACK("RequireDualStack");

    private final String label;

    IpFamilyPolicy(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
