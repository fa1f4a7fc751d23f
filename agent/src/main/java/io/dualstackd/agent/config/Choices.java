package io.dualstackd.agent.config;

import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.util.List;
import java.util.stream.Stream;

/** The allowed values of settings that take one of a few words. */
public final class Choices {
    private Choices() {}

    /** The values of a setting; empty when it is not one of a few words. */
    public static List<String> of(Key key) {
        Enum<?>[] values = switch (key) {
            case MODE -> ProxyMode.values();
            case IPTABLES_VARIANT -> TrafficReader.VariantChoice.values();
            case DETECT_LOCAL_MODE -> TrafficReader.LocalMode.values();
            case SERVICE_API_SEMANTICS -> Semantics.values();
            case MANAGE_NODE_ADDRESSES -> SourceReader.Duty.values();
            case KUBE_API_CONTENT_TYPE -> WireFormat.values();
            case LOG_LEVEL -> LogLevel.values();
            case LOG_FORMAT, LOGGING_FORMAT -> LogFormat.values();
            default -> new Enum<?>[0];
        };
        return Stream.of(values).map(Enum::toString).toList();
    }
}
