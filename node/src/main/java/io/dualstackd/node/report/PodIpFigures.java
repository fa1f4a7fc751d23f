package io.dualstackd.node.report;

/**
 * How well the statuses of this node's pods say what is true; for metrics.
 *
 * @param compared pods that could be compared at the last look
 * @param podIpsDiffer of those, the ones whose {@code podIPs} have been wrong for a while
 * @param hostIpsDiffer of those, the ones whose {@code hostIPs} have been wrong for a while
 * @param corrected statuses we have written, ever
 * @param refused statuses that the API server did not let us write, ever
 */
public record PodIpFigures(int compared, int podIpsDiffer, int hostIpsDiffer, long corrected, long refused) {
    /** Before the first look. */
    public static final PodIpFigures NONE = new PodIpFigures(0, 0, 0, 0, 0);
}
