package io.dualstackd.pods.cri;

import java.util.List;
import java.util.Optional;

/**
 * The answer to a status request for one sandbox.
 *
 * @param status empty only from a runtime that violates the interface
 * @param containers of the sandbox; empty from runtimes that send no events, which does not mean that there are none
 * @param process id of the sandbox's first process, in the runtime's own process namespace; 0 when the runtime does not report it
 * @param timestamp nanoseconds since the epoch at which this state was read; 0 from runtimes that send no events
 */
public record SandboxReport(
        Optional<SandboxStatus> status, List<ContainerStatus> containers, int process, long timestamp) {
    public SandboxReport {
        containers = List.copyOf(containers);
    }
}
