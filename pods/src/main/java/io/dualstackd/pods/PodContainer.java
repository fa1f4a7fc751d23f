package io.dualstackd.pods;

import io.dualstackd.pods.cri.ContainerState;
import java.util.List;

/**
 * A container of a pod, as in the runtime's current list. Of several with one name, the newest.
 *
 * @param restarts how often it was restarted
 * @param ports from its annotation {@code io.kubernetes.container.ports}
 */
public record PodContainer(String name, long restarts, ContainerState state, List<ContainerPort> ports) {
    public PodContainer {
        ports = List.copyOf(ports);
    }
}
