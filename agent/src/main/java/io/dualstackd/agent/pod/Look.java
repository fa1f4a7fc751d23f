package io.dualstackd.agent.pod;

import io.dualstackd.agent.cri.SandboxStatus;
import java.util.Optional;

/**
 * What the runtime said when asked about one sandbox.
 *
 * @param status empty when there is no such sandbox any more
 * @param process id of the sandbox's first process in the runtime's own process namespace, 0 when unknown
 */
public record Look(Optional<SandboxStatus> status, int process) {
    /** There is no such sandbox. */
    public static final Look GONE = new Look(Optional.empty(), 0);
}
