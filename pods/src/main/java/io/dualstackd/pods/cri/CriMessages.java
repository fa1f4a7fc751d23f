package io.dualstackd.pods.cri;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.cri.v1.ContainerMetadata;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.NamespaceMode;
import io.dualstackd.cri.v1.PodIP;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxMetadata;
import io.dualstackd.cri.v1.PodSandboxNetworkStatus;
import io.dualstackd.cri.v1.PodSandboxState;
import io.dualstackd.cri.v1.PodSandboxStatus;
import io.dualstackd.cri.v1.PodSandboxStatusResponse;
import io.dualstackd.cri.v1.StatusResponse;
import io.dualstackd.cri.v1.VersionResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Converts messages of the runtime to records; a missing message becomes an empty {@link Optional}, an unknown number a constant for
 * unknown values.
 */
public final class CriMessages {
    private CriMessages() {}

    public static RuntimeVersion version(VersionResponse m) {
        return new RuntimeVersion(m.getRuntimeName(), m.getRuntimeVersion(), m.getRuntimeApiVersion());
    }

    public static RuntimeConditions conditions(StatusResponse m) {
        return new RuntimeConditions(m.getStatus().getConditionsList().stream()
                .map(c -> new RuntimeConditions.Condition(c.getType(), c.getStatus(), c.getReason(), c.getMessage()))
                .toList());
    }

    public static List<Sandbox> sandboxes(ListPodSandboxResponse m) {
        return m.getItemsList().stream().map(CriMessages::sandbox).toList();
    }

    private static Sandbox sandbox(PodSandbox m) {
        return new Sandbox(
                m.getId(),
                m.hasMetadata() ? Optional.of(metadata(m.getMetadata())) : Optional.empty(),
                isReady(m.getState()),
                m.getCreatedAt(),
                m.getLabelsMap());
    }

    private static Sandbox.Metadata metadata(PodSandboxMetadata m) {
        return new Sandbox.Metadata(m.getName(), m.getUid(), m.getNamespace(), Integer.toUnsignedLong(m.getAttempt()));
    }

    public static SandboxReport report(PodSandboxStatusResponse m) {
        return new SandboxReport(
                m.hasStatus() ? Optional.of(status(m.getStatus())) : Optional.empty(),
                process(m.getInfoOrDefault("info", "")));
    }

    private static SandboxReport.Status status(PodSandboxStatus m) {
        return new SandboxReport.Status(
                isReady(m.getState()),
                m.getLinux().getNamespaces().getOptions().getNetwork() == NamespaceMode.NODE,
                m.hasNetwork() ? Optional.of(network(m.getNetwork())) : Optional.empty());
    }

    private static SandboxReport.Network network(PodSandboxNetworkStatus m) {
        return new SandboxReport.Network(
                m.getIp(), m.getAdditionalIpsList().stream().map(PodIP::getIp).toList());
    }

    /** A state that this version has no name for must not be taken for one that can receive packets. */
    private static boolean isReady(PodSandboxState state) {
        return state == PodSandboxState.SANDBOX_READY;
    }

    public static List<Container> containers(ListContainersResponse m) {
        return m.getContainersList().stream()
                .map(c -> new Container(
                        c.getId(),
                        c.getPodSandboxId(),
                        c.hasMetadata() ? Optional.of(metadata(c.getMetadata())) : Optional.empty(),
                        state(c.getState()),
                        c.getAnnotationsMap()))
                .toList();
    }

    private static Container.Metadata metadata(ContainerMetadata m) {
        return new Container.Metadata(m.getName(), Integer.toUnsignedLong(m.getAttempt()));
    }

    private static ContainerState state(io.dualstackd.cri.v1.ContainerState state) {
        return switch (state) {
            case CONTAINER_CREATED -> ContainerState.CREATED;
            case CONTAINER_RUNNING -> ContainerState.RUNNING;
            case CONTAINER_EXITED -> ContainerState.EXITED;
            case CONTAINER_UNKNOWN, UNRECOGNIZED -> ContainerState.UNKNOWN;
        };
    }

    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Returns the number under the top-level {@code pid} in the JSON text of a verbose answer, as containerd and CRI-O write it; 0 when
     * there is none: each runtime defines that text for itself.
     */
    private static int process(String info) {
        try (JsonParser json = JSON.createParser(info)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return 0;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean pid = json.currentName().equals("pid");
                JsonToken value = json.nextToken();
                if (pid) {
                    return value == JsonToken.VALUE_NUMBER_INT ? Math.max(0, json.getIntValue()) : 0;
                }
                json.skipChildren();
            }
        } catch (IOException e) {
            // The text of another runtime.
        }
        return 0;
    }
}
