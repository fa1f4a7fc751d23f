package io.dualstackd.agent.config;

/** Settings that belong together, in the order in which help texts show them. */
public enum SettingGroup {
    SOURCE("Source of objects"),
    NODE("This node and its pods"),
    DAEMON("The daemon itself"),
    DNS("Names of Services, without a cluster"),
    RULES("Services and rules"),
    IPVS("IPVS mode"),
    CONNTRACK("Connection tracking of the kernel"),
    HOST("Other settings of the host"),
    ENDPOINTS("Health and metrics over HTTP"),
    LOGGING("Logging flags of kube-proxy"),
    COMPATIBLE("Accepted from kube-proxy, without effect here");

    private final String title;

    SettingGroup(String title) {
        this.title = title;
    }

    /** A heading. */
    public String title() {
        return title;
    }
}
