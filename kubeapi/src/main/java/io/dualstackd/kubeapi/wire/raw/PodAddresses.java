package io.dualstackd.kubeapi.wire.raw;

import java.util.List;

/**
 * The addresses in a {@code v1/Pod}. Texts as stored: the code that compares them parses them.
 *
 * @param node {@code spec.nodeName}, empty before it is scheduled
 * @param phase {@code status.phase}
 * @param deleting {@code metadata.deletionTimestamp} is set
 * @param podIps {@code status.podIPs}, or {@code podIP} when only that is present
 * @param hostIps {@code status.hostIPs}, or {@code hostIP} when only that is there
 */
public record PodAddresses(
        String namespace,
        String name,
        String uid,
        String node,
        boolean hostNetwork,
        String phase,
        boolean deleting,
        List<String> podIps,
        List<String> hostIps) {
    public PodAddresses {
        podIps = List.copyOf(podIps);
        hostIps = List.copyOf(hostIps);
    }
}
