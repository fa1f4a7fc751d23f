package io.dualstackd.agent.config;

import io.dualstackd.agent.cluster.ClusterSettings;
import io.dualstackd.agent.cluster.WireFormat;
import io.dualstackd.agent.source.SourceSettings;
import java.util.stream.Stream;

/** Reads where objects come from. */
final class SourceReader {
    private SourceReader() {}

    static SourceSettings source(Values values) {
        ClusterSettings api = new ClusterSettings(
                values.nonEmpty(Key.KUBECONFIG),
                values.nonEmpty(Key.MASTER),
                values.choice(Key.KUBE_API_CONTENT_TYPE, WireFormat.class),
                values.fraction(Key.KUBE_API_QPS),
                values.number(Key.KUBE_API_BURST, 0, Integer.MAX_VALUE));
        if (!values.bool(Key.STANDALONE)) {
            Stream.of(Key.MANIFESTS, Key.SERVICE_CLUSTER_IP_RANGE)
                    .filter(key -> values.nonEmpty(key).isPresent())
                    .forEach(key -> values.refuse(key, "has a meaning only with --standalone"));
            return new SourceSettings.Cluster(api);
        }
        String folder = values.text(Key.MANIFESTS);
        if (folder.isEmpty()) {
            values.refuse(Key.MANIFESTS, "required with --standalone");
        }
        return new SourceSettings.Folder(folder);
    }
}
