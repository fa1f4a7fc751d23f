package io.dualstackd.dataplane.rules.iptables;

/** The comments of jumps in built-in chains: exactly those of kube-proxy, because cleanup recognises jumps by them. */
final class JumpComments {
    static final String SERVICES = "kubernetes service portals";
    static final String EXTERNAL_SERVICES = "kubernetes externally-visible service portals";
    static final String HEALTH_CHECKS = "kubernetes health check service ports";
    static final String FORWARD = "kubernetes forwarding rules";
    static final String PROXY_FIREWALL = "kubernetes load balancer firewall";
    static final String POSTROUTING = "kubernetes postrouting rules";

    static final String IPVS_HEALTH_CHECKS = "kubernetes health check rules";
    static final String IPVS_FIREWALL = "kube-proxy firewall rules";
    static final String IPVS_FILTER = "kubernetes ipvs access filter";

    /** The comment of a rule that is no jump, in a chain that kubelet writes, too. */
    static final String LOOPBACK_GUARD = "block incoming localnet connections";

    private JumpComments() {}
}
