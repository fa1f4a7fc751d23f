package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.node.report.AddressManagement;
import io.dualstackd.node.report.ReportSettings;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the settings of the source of objects. */
final class SourceReader {
    private SourceReader() {}

    static SourceSettings source(ConfigValues configValues) {
        ClusterSettings api = new ClusterSettings(
                configValues.nonEmpty(Key.KUBECONFIG),
                configValues.nonEmpty(Key.MASTER),
                format(configValues),
                configValues.fraction(Key.KUBE_API_QPS),
                configValues.number(Key.KUBE_API_BURST, 0, Integer.MAX_VALUE));
        ReportSettings reports = reports(configValues);
        if (!configValues.bool(Key.STANDALONE)) {
            Stream.of(Key.MANIFESTS, Key.SERVICE_CLUSTER_IP_RANGE)
                    .filter(key -> configValues.nonEmpty(key).isPresent())
                    .forEach(key -> configValues.refuse(key, "has a meaning only with --standalone"));
            return new SourceSettings.Cluster(api, reports);
        }
        String folder = configValues.text(Key.MANIFESTS);
        if (folder.isEmpty()) {
            configValues.refuse(Key.MANIFESTS, "required with --standalone");
        }
        if (!reports.equals(ReportSettings.NONE)) {
            configValues.refuse(
                    reports.podIps() ? Key.REPORT_POD_IPS : Key.MANAGE_NODE_ADDRESSES,
                    "has no meaning with --standalone: there is no API server");
        }
        return new SourceSettings.Folder(folder);
    }

    /** kube-proxy takes any text, and finds out when it asks the server. */
    private static WireFormat format(ConfigValues configValues) {
        String text = configValues.nonEmpty(Key.KUBE_API_CONTENT_TYPE).orElse(Key.KUBE_API_CONTENT_TYPE.fallback());
        return WireFormat.of(text).orElseGet(() -> {
            configValues.warn(
                    Key.KUBE_API_CONTENT_TYPE,
                    "is not known here, " + WireFormat.PROTOBUF + " is used; known are "
                            + String.join(", ", Choices.of(Key.KUBE_API_CONTENT_TYPE)));
            return WireFormat.PROTOBUF;
        });
    }

    enum Duty {
        OFF,
        ORDER,
        FILTER,
        PROVIDE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static ReportSettings reports(ConfigValues configValues) {
        Optional<AddressManagement> duty = switch (configValues.choice(Key.MANAGE_NODE_ADDRESSES, Duty.class)) {
            case OFF -> Optional.empty();
            case ORDER -> Optional.of(AddressManagement.ORDER);
            case FILTER -> Optional.of(AddressManagement.FILTER);
            case PROVIDE -> Optional.of(AddressManagement.PROVIDE);
        };
        boolean given = Stream.of(Key.NODE_IPS, Key.NODE_IP)
                .anyMatch(key -> configValues.nonEmpty(key).isPresent());
        if (duty.equals(Optional.of(AddressManagement.FILTER)) && !given) {
            configValues.refuse(
                    Key.MANAGE_NODE_ADDRESSES,
                    "filter needs " + Key.NODE_IPS.flag() + ", which says what stays on the Node object");
        }
        return new ReportSettings(duty, configValues.bool(Key.REPORT_POD_IPS));
    }
}
