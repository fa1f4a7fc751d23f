package io.dualstackd.pods.cri;

import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.PodIP;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxMetadata;
import io.dualstackd.cri.v1.PodSandboxNetworkStatus;
import io.dualstackd.cri.v1.PodSandboxState;
import io.dualstackd.cri.v1.PodSandboxStatus;
import io.dualstackd.cri.v1.PodSandboxStatusResponse;
import io.dualstackd.cri.v1.RuntimeConfigResponse;
import io.dualstackd.cri.v1.StatusResponse;
import io.dualstackd.cri.v1.VersionResponse;
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

    public static CgroupDriver cgroupDriver(RuntimeConfigResponse m) {
        if (!m.hasLinux()) {
            return CgroupDriver.UNKNOWN;
        }
        return switch (m.getLinux().getCgroupDriver()) {
            case SYSTEMD -> CgroupDriver.SYSTEMD;
            case CGROUPFS -> CgroupDriver.CGROUPFS;
            case UNRECOGNIZED -> CgroupDriver.UNKNOWN;
        };
    }

    public static List<Sandbox> sandboxes(ListPodSandboxResponse m) {
        return m.getItemsList().stream().map(CriMessages::sandbox).toList();
    }

    private static Sandbox sandbox(PodSandbox m) {
        return new Sandbox(
                m.getId(),
                m.hasMetadata() ? Optional.of(metadata(m.getMetadata())) : Optional.empty(),
                state(m.getState()),
                m.getCreatedAt(),
                m.getLabelsMap(),
                m.getAnnotationsMap());
    }

    public static SandboxReport report(PodSandboxStatusResponse m) {
        return new SandboxReport(
                m.hasStatus() ? Optional.of(status(m.getStatus())) : Optional.empty(),
                m.getContainersStatusesList().stream().map(CriMessages::status).toList(),
                VerboseText.process(m.getInfoOrDefault("info", "")),
                m.getTimestamp());
    }

    private static SandboxStatus status(PodSandboxStatus m) {
        return new SandboxStatus(
                m.getId(),
                m.hasMetadata() ? Optional.of(metadata(m.getMetadata())) : Optional.empty(),
                state(m.getState()),
                m.getCreatedAt(),
                m.hasNetwork() ? Optional.of(network(m.getNetwork())) : Optional.empty(),
                mode(m.getLinux().getNamespaces().getOptions().getNetwork()),
                m.getLabelsMap(),
                m.getAnnotationsMap());
    }

    public static List<Container> containers(ListContainersResponse m) {
        return m.getContainersList().stream()
                .map(c -> new Container(
                        c.getId(),
                        c.getPodSandboxId(),
                        c.hasMetadata() ? Optional.of(metadata(c.getMetadata())) : Optional.empty(),
                        state(c.getState()),
                        c.getCreatedAt(),
                        c.getLabelsMap(),
                        c.getAnnotationsMap()))
                .toList();
    }

    public static ContainerEvent event(ContainerEventResponse m) {
        return new ContainerEvent(
                m.getContainerId(),
                switch (m.getContainerEventType()) {
                    case CONTAINER_CREATED_EVENT -> ContainerEvent.Type.CREATED;
                    case CONTAINER_STARTED_EVENT -> ContainerEvent.Type.STARTED;
                    case CONTAINER_STOPPED_EVENT -> ContainerEvent.Type.STOPPED;
                    case CONTAINER_DELETED_EVENT -> ContainerEvent.Type.DELETED;
                    case UNRECOGNIZED -> ContainerEvent.Type.OTHER;
                },
                m.getCreatedAt(),
                m.hasPodSandboxStatus() ? Optional.of(status(m.getPodSandboxStatus())) : Optional.empty(),
                m.getContainersStatusesList().stream().map(CriMessages::status).toList());
    }

    private static ContainerStatus status(io.dualstackd.cri.v1.ContainerStatus m) {
        return new ContainerStatus(
                m.getId(),
                m.hasMetadata() ? Optional.of(metadata(m.getMetadata())) : Optional.empty(),
                state(m.getState()),
                m.getCreatedAt(),
                m.getStartedAt(),
                m.getFinishedAt(),
                m.getExitCode(),
                m.getReason(),
                m.getMessage(),
                m.getLabelsMap(),
                m.getAnnotationsMap());
    }

    private static SandboxMetadata metadata(PodSandboxMetadata m) {
        return new SandboxMetadata(m.getName(), m.getUid(), m.getNamespace(), Integer.toUnsignedLong(m.getAttempt()));
    }

    private static ContainerMetadata metadata(io.dualstackd.cri.v1.ContainerMetadata m) {
        return new ContainerMetadata(m.getName(), Integer.toUnsignedLong(m.getAttempt()));
    }

    private static NetworkStatus network(PodSandboxNetworkStatus m) {
        return new NetworkStatus(
                m.getIp(), m.getAdditionalIpsList().stream().map(PodIP::getIp).toList());
    }

    private static SandboxState state(PodSandboxState state) {
        return switch (state) {
            case SANDBOX_READY -> SandboxState.READY;
            // An unknown state must not be taken for one that can receive packets.
            case SANDBOX_NOTREADY, UNRECOGNIZED -> SandboxState.NOT_READY;
        };
    }

    private static ContainerState state(io.dualstackd.cri.v1.ContainerState state) {
        return switch (state) {
            case CONTAINER_CREATED -> ContainerState.CREATED;
            case CONTAINER_RUNNING -> ContainerState.RUNNING;
            case CONTAINER_EXITED -> ContainerState.EXITED;
            case CONTAINER_UNKNOWN, UNRECOGNIZED -> ContainerState.UNKNOWN;
        };
    }

    private static NamespaceMode mode(io.dualstackd.cri.v1.NamespaceMode mode) {
        return switch (mode) {
            case POD -> NamespaceMode.POD;
            case CONTAINER -> NamespaceMode.CONTAINER;
            case NODE -> NamespaceMode.NODE;
            case TARGET -> NamespaceMode.TARGET;
            case UNRECOGNIZED -> NamespaceMode.UNKNOWN;
        };
    }
}
