package io.dualstackd.pods;

import io.dualstackd.pods.cri.SandboxStatus;
import java.util.Optional;

/**
 * The runtime's answer to a status request for one sandbox.
 *
 * @param status empty when there is no such sandbox any more
 * @param process id of the sandbox's first process in the runtime's own process namespace, 0 when unknown
 */
public record SandboxLookup(Optional<SandboxStatus> status, int process) {
    /** There is no such sandbox. */
    public static final SandboxLookup GONE = new SandboxLookup(Optional.empty(), 0);
}
