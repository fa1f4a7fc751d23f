package io.dualstackd.node.report;

/**
 * Something that deserves an event; the same things are the same events.
 *
 * @param reason one word for machines
 * @param action what was done when it happened, one word
 * @param note for people
 */
public record ClusterEvent(
        ObjectReference objectReference, boolean warning, String reason, String action, String note) {
    private static final String START = "StartKubeProxy";
    private static final int LONGEST_NOTE_BYTES = 1024;

    public ClusterEvent {
        note = TruncatedText.note(note, LONGEST_NOTE_BYTES);
    }

    /** The proxy begins its work on this node. */
    public static ClusterEvent starting(String node) {
        return new ClusterEvent(ObjectReference.node(node), false, "Starting", START, "");
    }

    /** The proxy runs in a mode that will not be there for ever. */
    public static ClusterEvent ipvsDeprecated(String node) {
        return new ClusterEvent(
                ObjectReference.node(node),
                true,
                "IPVSDeprecation",
                START,
                "mode ipvs is deprecated in kube-proxy; nftables costs each connection as little");
    }

    /** The address for health questions cannot be used. */
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

    /** The addresses in a pod's status are not those that its runtime gave it. */
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
