package io.dualstackd.node.report;

import io.dualstackd.kubeapi.wire.raw.PodAddresses;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodIps;
import io.dualstackd.pods.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Records since when statuses differ. kubelet needs a moment to write them, so a difference counts only when it lasts; and it is corrected
 * once: if it recurs, another component writes it deliberately, and then it is only reported. Used by one thread.
 */
public final class PodStatusDiff {
    /** Time that kubelet may take. */
    static final Duration TOLERANCE = Duration.ofSeconds(30);

    private static final Set<String> OVER = Set.of("Succeeded", "Failed");

    private final Map<PodDifference, Instant> since = new HashMap<>();
    private final Set<PodDifference> known = new HashSet<>();
    private final Set<PodDifference> corrected = new HashSet<>();
    private final Map<PodDifference, Instant> postponed = new HashMap<>();
    private int compared;

    /**
     * The result of one check.
     *
     * @param lasting differences that have lasted
     * @param toTell those among them that have not been reported before
     * @param toCorrect those among them that have not been corrected before, and are not postponed
     */
    public record Result(List<PodDifference> lasting, List<PodDifference> toTell, List<PodDifference> toCorrect) {
        public Result {
            lasting = List.copyOf(lasting);
            toTell = List.copyOf(toTell);
            toCorrect = List.copyOf(toCorrect);
        }
    }

    /**
     * @param runtime the actual addresses
     * @param stored the pods of this node as the API server has them
     * @param node without addresses, they are not compared
     */
    public Result check(Pods runtime, List<PodAddresses> stored, NodeNames node, Instant now) {
        // By all three: the uid of a mirror's pod is an annotation, which anybody may write.
        Map<ObjectReference, Pod> byReference = new HashMap<>();
        runtime.all().forEach(pod -> byReference.put(ObjectReference.pod(pod.namespace(), pod.name(), pod.uid()), pod));
        Map<PodDifference, Instant> still = new HashMap<>();
        compared = 0;
        for (PodAddresses status : stored) {
            Pod pod = byReference.get(ObjectReference.pod(status.namespace(), status.name(), status.runtimeUid()));
            if (pod == null
                    || !pod.isAlive()
                    || pod.ips().isEmpty()
                    || status.deleting()
                    || OVER.contains(status.phase())) {
                continue;
            }
            compared++;
            PodDifference difference = difference(pod, status, node.ips());
            if (difference.inPodIps() || difference.inHostIps()) {
                still.put(difference, Objects.requireNonNullElse(since.get(difference), now));
            }
        }
        since.clear();
        since.putAll(still);
        // A difference that no longer exists is kept until its pod is gone: it may recur.
        Set<String> present = new HashSet<>();
        stored.forEach(status -> present.add(status.uid()));
        known.removeIf(difference -> !present.contains(difference.uid()));
        corrected.removeIf(difference -> !present.contains(difference.uid()));
        postponed.values().removeIf(until -> !until.isAfter(now));
        List<PodDifference> lasting = new ArrayList<>();
        still.forEach((difference, begun) -> {
            if (!begun.plus(TOLERANCE).isAfter(now)) {
                lasting.add(difference);
            }
        });
        return new Result(
                lasting,
                lasting.stream().filter(known::add).toList(),
                lasting.stream()
                        .filter(difference -> !corrected.contains(difference) && !postponed.containsKey(difference))
                        .toList());
    }

    private static PodDifference difference(Pod pod, PodAddresses status, List<Ip> nodeIps) {
        return new PodDifference(
                status.namespace(),
                status.name(),
                status.uid(),
                podIps(pod, status, nodeIps),
                status.podIps(),
                nodeIps,
                status.hostIps());
    }

    /** The addresses a pod should have. One in the host network may keep addresses that the node had before. */
    private static List<Ip> podIps(Pod pod, PodAddresses status, List<Ip> nodeIps) {
        List<Ip> stored = PodIps.asReported("", status.podIps()).stream()
                .map(Ip::parseLenient)
                .toList();
        return pod.onHostNetwork() && !stored.isEmpty() ? PodIps.onHostNetwork(stored, nodeIps) : pod.ips();
    }

    /** The correction was written, or can never be written: it is not tried again. */
    public void corrected(PodDifference difference) {
        corrected.add(difference);
    }

    /** The correction was not permitted: it is not tried again before {@code until}. */
    public void postpone(PodDifference difference, Instant until) {
        postponed.put(difference, until);
    }

    /** The number of pods that could be compared in the last check. */
    public int compared() {
        return compared;
    }
}
