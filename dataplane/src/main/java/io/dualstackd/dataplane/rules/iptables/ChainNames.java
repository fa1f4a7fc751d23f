package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.rules.NameHash;
import io.dualstackd.netlink.ip.IpPort;
import java.util.List;

/**
 * The names of chains. Those of one Service end in a hash, because the kernel allows 28 bytes and Kubernetes names are longer; the
 * hashed text is kube-proxy's, so both use the same name for the same chain.
 */
public final class ChainNames {
    public static final String SERVICES = "KUBE-SERVICES";
    public static final String EXTERNAL_SERVICES = "KUBE-EXTERNAL-SERVICES";
    public static final String NODE_PORTS = "KUBE-NODEPORTS";
    public static final String POSTROUTING = "KUBE-POSTROUTING";
    public static final String MARK_MASQ = "KUBE-MARK-MASQ";
    public static final String FORWARD = "KUBE-FORWARD";
    public static final String PROXY_FIREWALL = "KUBE-PROXY-FIREWALL";

    /** IPVS mode: marks traffic to node ports for masquerade, and in the filter table accepts that to health-check node ports. */
    public static final String NODE_PORT = "KUBE-NODE-PORT";

    /** IPVS mode: masquerades pods that reach themselves through a Service. */
    public static final String LOOP_BACK = "KUBE-LOOP-BACK";

    /** IPVS mode: accepts what is sent to Services before other programs' rules for ports of the node can translate it. */
    public static final String IPVS_SERVICES = "KUBE-IPVS-SERVICES";

    /** IPVS mode: blocks access to the node on the addresses of Services, which are the node's own. */
    public static final String IPVS_FILTER = "KUBE-IPVS-FILTER";

    /** IPVS mode: rejects what is sent to an address of a Service and was not accepted before. */
    public static final String IPVS_IPS = "KUBE-IPVS-IPS";

    /** IPVS mode: drops or counts what is sent to node ports without endpoints. */
    public static final String IPVS_NODE_PORTS = "KUBE-IPVS-NODE-PORTS";

    /** Loopback guard; kubelet writes it, too, so it does not belong to dualstackd alone. */
    public static final String FIREWALL = "KUBE-FIREWALL";

    /** The chain kubelet creates in the mangle table of the variant that the host uses. */
    static final String HINT = "KUBE-IPTABLES-HINT";

    /** Kubelet's own {@link #CANARY}. */
    static final String KUBELET_CANARY = "KUBE-KUBELET-CANARY";

    /** An empty chain in every table: when it is gone, another program has flushed the table. */
    public static final String CANARY = "KUBE-PROXY-CANARY";

    /** The prefix of chains that filter by source address. */
    static final String FIREWALL_PREFIX = "KUBE-FW-";

    /** The prefix of chains that translate to one endpoint. */
    private static final String ENDPOINT_PREFIX = "KUBE-SEP-";

    /** The prefix that a kube-proxy before 1.24 used in place of {@code KUBE-EXT-}. */
    private static final String OLD_EXTERNAL_PREFIX = "KUBE-XLB-";

    /** The prefixes of chains that belong to one Service. */
    public static final List<String> SERVICE_PREFIXES =
            List.of("KUBE-SVC-", "KUBE-SVL-", "KUBE-EXT-", FIREWALL_PREFIX, ENDPOINT_PREFIX, OLD_EXTERNAL_PREFIX);

    private static final int SUFFIX_LENGTH = 16;

    private ChainNames() {}

    /** The chains of one service port; they share one suffix. */
    public record OfPort(String cluster, String local, String external, String firewall) {}

    public static OfPort of(ServicePortName port) {
        String suffix = suffix(port.toString() + port.protocol());
        return new OfPort("KUBE-SVC-" + suffix, "KUBE-SVL-" + suffix, "KUBE-EXT-" + suffix, FIREWALL_PREFIX + suffix);
    }

    /** The chain of one endpoint of one service port; it is also the name of its affinity list. */
    public static String endpoint(ServicePortName port, IpPort endpoint) {
        return ENDPOINT_PREFIX + suffix(port.toString() + port.protocol() + endpoint);
    }

    /** Whether a chain of this name translates to an endpoint. */
    public static boolean isOfEndpoint(String chain) {
        return chain.startsWith(ENDPOINT_PREFIX);
    }

    /** The first 16 characters of the hash of {@code text}. */
    static String suffix(String text) {
        return NameHash.of(text, SUFFIX_LENGTH);
    }
}
