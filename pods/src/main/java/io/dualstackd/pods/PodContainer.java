package io.dualstackd.pods;

import io.dualstackd.pods.cri.ContainerState;
import java.util.List;

/**
 * A container of a pod, as the runtime's list has it now. Of several that had one name, the newest.
 *
 * @param restarts how often it was started anew
 * @param ports what its annotation {@code io.kubernetes.container.ports} says
 */
public record PodContainer(String name, long restarts, ContainerState state, List<ContainerPort> ports) {
    public PodContainer {
        ports = List.copyOf(ports);
    }
}
