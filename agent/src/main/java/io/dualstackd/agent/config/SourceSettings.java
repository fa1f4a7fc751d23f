package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.node.report.ReportSettings;

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

    /**
     * A Kubernetes API server.
     *
     * @param reports what to say to it
     */
    record Cluster(ClusterSettings api, ReportSettings reports) implements SourceSettings {
        /** Nothing is said to it but events. */
        public Cluster(ClusterSettings api) {
            this(api, ReportSettings.NONE);
        }

        @Override
        public String kind() {
            return "cluster";
        }
    }
}
