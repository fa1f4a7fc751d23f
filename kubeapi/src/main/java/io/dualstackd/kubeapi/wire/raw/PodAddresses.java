package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.tree.Field;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The addresses in a {@code v1/Pod}. Texts as stored: the code that compares them parses them.
 *
 * @param phase {@code status.phase}
 * @param deleting {@code metadata.deletionTimestamp} is set
 * @param podIps {@code status.podIPs}, or {@code podIP} when only that is present
 * @param hostIps {@code status.hostIPs}, or {@code hostIP} when only that is there
 */
public record PodAddresses(
        String namespace,
        String name,
        String uid,
        String phase,
        boolean deleting,
        List<String> podIps,
        List<String> hostIps) {
    public PodAddresses {
        podIps = List.copyOf(podIps);
        hostIps = List.copyOf(hostIps);
    }

    /** Reads a pod in JSON; empty when it has no valid name. */
    public static Optional<PodAddresses> read(Field pod, NamePool names) throws IOException {
        RawMetadata meta = new RawMetadata();
        Optional<Field> metadata = pod.object("metadata");
        if (metadata.isPresent()) {
            meta.read(new JsonReader(metadata.get(), names));
        }
        if (meta.refuse(true).isPresent()) {
            return Optional.empty();
        }
        Optional<Field> status = pod.object("status");
        return Optional.of(new PodAddresses(
                meta.namespace(),
                meta.name(),
                metadata.map(fields -> fields.textOrEmpty("uid")).orElse(""),
                status.map(fields -> fields.textOrEmpty("phase")).orElse(""),
                meta.deleting(),
                status.map(fields -> ips(fields, "podIPs", "podIP")).orElse(List.of()),
                status.map(fields -> ips(fields, "hostIPs", "hostIP")).orElse(List.of())));
    }

    private static List<String> ips(Field status, String list, String single) {
        List<String> ips =
                status.objects(list).stream().map(ip -> ip.textOrEmpty("ip")).toList();
        return ips.isEmpty()
                ? status.text(single).filter(ip -> !ip.isEmpty()).stream().toList()
                : ips;
    }
}
