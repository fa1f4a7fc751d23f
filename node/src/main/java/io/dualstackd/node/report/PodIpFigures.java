package io.dualstackd.node.report;

/**
 * Metrics on the addresses in the statuses of this node's pods.
 *
 * @param compared pods that could be compared in the last check
 * @param podIpsDiffer of those, the ones whose {@code podIPs} have been wrong for a while
 * @param hostIpsDiffer of those, the ones whose {@code hostIPs} have been wrong for a while
 * @param corrected total number of statuses corrected
 * @param refused total number of corrections that the API server refused
 */
public record PodIpFigures(int compared, int podIpsDiffer, int hostIpsDiffer, long corrected, long refused) {
    /** Before the first check. */
    public static final PodIpFigures NONE = new PodIpFigures(0, 0, 0, 0, 0);
}
