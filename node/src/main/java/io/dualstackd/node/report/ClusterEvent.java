package io.dualstackd.node.report;

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
                "mode ipvs is deprecated in kube-proxy; nftables costs each connection as little");
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
