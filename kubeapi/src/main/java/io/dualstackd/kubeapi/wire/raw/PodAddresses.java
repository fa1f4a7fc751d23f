package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.tree.Field;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The addresses in a {@code v1/Pod}. Texts as stored: the code that compares them parses them.
 *
 * @param runtimeUid the uid under which the runtime knows it: that of the file for a static pod, whose object in the API is only its mirror
 *     and has a uid of its own
 * @param phase {@code status.phase}
 * @param deleting {@code metadata.deletionTimestamp} is set
 * @param podIps {@code status.podIPs}, or {@code podIP} when only that is present
 * @param hostIps {@code status.hostIPs}, or {@code hostIP} when only that is there
 */
public record PodAddresses(
        String namespace,
        String name,
        String uid,
        String runtimeUid,
        String phase,
        boolean deleting,
        List<String> podIps,
        List<String> hostIps) {
    /** Written by kubelet to the mirror of a static pod: the uid that it gave to the static pod. */
    private static final String MIRROR = "kubernetes.io/config.mirror";

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
        String uid = metadata.map(fields -> fields.textOrEmpty("uid")).orElse("");
        Optional<Field> status = pod.object("status");
        return Optional.of(new PodAddresses(
                meta.namespace(),
                meta.name(),
                uid,
                metadata.flatMap(fields -> fields.object("annotations"))
                        .flatMap(annotations -> annotations.text(MIRROR))
                        .filter(mirrored -> !mirrored.isEmpty())
                        .orElse(uid),
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
