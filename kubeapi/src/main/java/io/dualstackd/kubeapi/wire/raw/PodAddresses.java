package io.dualstackd.kubeapi.wire.raw;

import java.util.List;

/**
 * What a {@code v1/Pod} says about its addresses. Texts as stored: whoever compares them decides what is an address.
 *
 * @param node {@code spec.nodeName}, empty before it is scheduled
 * @param phase {@code status.phase}
 * @param deleting {@code metadata.deletionTimestamp} is set
 * @param podIps {@code status.podIPs}, or {@code podIP} when only that is there
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
