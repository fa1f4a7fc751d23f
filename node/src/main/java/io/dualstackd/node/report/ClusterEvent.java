package io.dualstackd.node.report;

import io.dualstackd.netlink.ip.IpFamily;

/**
 * Something that is reported as an Event; equal values are the same Event.
 *
 * @param reason one word for programs
 * @param action one word for the action during which it happened
 * @param note for people
 */
public record ClusterEvent(
        ObjectReference objectReference, boolean warning, String reason, String action, String note) {
    private static final String START = "StartKubeProxy";
    private static final String SYNC = "SyncRules";
    private static final int LONGEST_NOTE_BYTES = 1024;

    public ClusterEvent {
        note = TruncatedText.note(note, LONGEST_NOTE_BYTES);
    }

    /** The proxy starts on this node. */
    public static ClusterEvent starting(String node) {
        return new ClusterEvent(ObjectReference.node(node), false, "Starting", START, "");
    }

    /** The proxy runs in a deprecated mode. */
    public static ClusterEvent ipvsDeprecated(String node) {
        return new ClusterEvent(
                ObjectReference.node(node),
                true,
                "IPVSDeprecation",
                START,
                "mode ipvs is deprecated in kube-proxy; in nftables mode a connection costs as little");
    }

    /** The address for health checks cannot be used. */
    public static ClusterEvent noHealthServer(String node, String why) {
        return new ClusterEvent(ObjectReference.node(node), true, "FailedToStartProxierHealthcheck", START, why);
    }

    /** The address for metrics cannot be used. */
    public static ClusterEvent noMetricsServer(String node, String why) {
        return new ClusterEvent(ObjectReference.node(node), true, "FailedToStartMetricServer", START, why);
    }

    /** The health check port of a Service cannot be used on this node. */
    public static ClusterEvent noHealthCheckPort(String node, String namespace, String name, int port, String why) {
        return new ClusterEvent(
                ObjectReference.service(namespace, name),
                true,
                "FailedToStartServiceHealthcheck",
                "Listen",
                "node " + node + " failed to start healthcheck \"" + namespace + "/" + name + "\" on port " + port
                        + ": " + why);
    }

    /**
     * External changes of the rules of one family were reverted.
     *
     * @param what chains and sets; empty when that is not known
     */
    public static ClusterEvent rulesRepaired(String node, IpFamily family, String process, String what) {
        return new ClusterEvent(
                ObjectReference.node(node),
                true,
                "RulesRepaired",
                SYNC,
                family + ": repaired " + (what.isEmpty() ? "rules" : what) + ", changed by " + process);
    }

    /** Another program changes the same rules again and again. */
    public static ClusterEvent rulesContested(String node, IpFamily family, String process, String what) {
        return new ClusterEvent(
                ObjectReference.node(node),
                true,
                "RulesContested",
                SYNC,
                family + ": " + process + " changes " + what + " repeatedly; it is repaired less often");
    }

    /** The kernel does not hold the desired rules of one family. */
    public static ClusterEvent syncFailed(String node, IpFamily family, String why) {
        return new ClusterEvent(ObjectReference.node(node), true, "SyncFailed", SYNC, family + ": " + why);
    }

    /** The rules of one family are in force again. */
    public static ClusterEvent syncRecovered(String node, IpFamily family) {
        return new ClusterEvent(
                ObjectReference.node(node), false, "SyncRecovered", SYNC, family + ": the rules are in force again");
    }

    /** The kernel refuses the rules of a Service. */
    public static ClusterEvent rulesRefused(String namespace, String name, IpFamily family, String kernel) {
        return new ClusterEvent(
                ObjectReference.service(namespace, name),
                true,
                "RulesRefused",
                SYNC,
                family + ": the kernel refuses its rules: " + kernel);
    }

    /** The last endpoint of ports of a Service is gone. */
    public static ClusterEvent noEndpoints(String namespace, String name, IpFamily family, String ports) {
        return new ClusterEvent(
                ObjectReference.service(namespace, name),
                true,
                "NoEndpoints",
                SYNC,
                family + ": no endpoint is left for " + ports + ": connections are refused");
    }

    /** Ports of a Service that had no endpoint have one again. */
    public static ClusterEvent endpointsBack(String namespace, String name, IpFamily family, String ports) {
        return new ClusterEvent(
                ObjectReference.service(namespace, name),
                false,
                "EndpointsAvailable",
                SYNC,
                family + ": " + ports + " can be reached again");
    }

    /** The addresses in a pod's status differ from those assigned by its runtime. */
    public static ClusterEvent otherPodIps(PodDifference difference) {
        return new ClusterEvent(
                ObjectReference.pod(difference.namespace(), difference.name(), difference.uid()),
                true,
                "PodIPsDiffer",
                "ReportPodIPs",
                difference.toString());
    }

    /** The addresses of the node were written to its object. */
    public static ClusterEvent nodeAddresses(String node, String addresses) {
        return new ClusterEvent(
                ObjectReference.node(node),
                false,
                "NodeAddressesChanged",
                "ManageNodeAddresses",
                "addresses are now " + addresses);
    }
}
