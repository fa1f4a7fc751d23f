package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.node.report.ReportSettings;

/** The source of objects. */
public sealed interface SourceSettings {
    /** The name in status reports and log lines. */
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
     * @param reports what to report to it
     */
    record Cluster(ClusterSettings api, ReportSettings reports) implements SourceSettings {
        /** Only events are reported to it. */
        public Cluster(ClusterSettings api) {
            this(api, ReportSettings.NONE);
        }

        @Override
        public String kind() {
            return "cluster";
        }
    }
}
