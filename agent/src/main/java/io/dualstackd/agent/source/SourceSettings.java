package io.dualstackd.agent.source;

import io.dualstackd.agent.cluster.ClusterSettings;

/** Where objects come from. */
public sealed interface SourceSettings {
    /** As people name it in status reports and log lines. */
    String kind();

    /**
     * A folder of manifests, without an API server.
     *
     * @param path of the folder
     */
    record Folder(String path) implements SourceSettings {
        @Override
        public String kind() {
            return "manifests";
        }
    }

    /** A Kubernetes API server. */
    record Cluster(ClusterSettings api) implements SourceSettings {
        @Override
        public String kind() {
            return "cluster";
        }
    }
}
