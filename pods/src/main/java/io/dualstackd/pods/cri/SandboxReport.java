package io.dualstackd.pods.cri;

import java.util.List;
import java.util.Optional;

/**
 * The answer to a look at one sandbox.
 *
 * @param status empty only from a runtime that breaks the rules
 * @param containers of the sandbox; empty from runtimes that send no events, which is no proof that there are none
 * @param process id of the sandbox's first process, in the runtime's own process namespace; 0 when the runtime does not say
 * @param timestamp nanoseconds since the epoch when this was true; 0 from runtimes that send no events
 */
public record SandboxReport(
        Optional<SandboxStatus> status, List<ContainerStatus> containers, int process, long timestamp) {
    public SandboxReport {
        containers = List.copyOf(containers);
    }
}
