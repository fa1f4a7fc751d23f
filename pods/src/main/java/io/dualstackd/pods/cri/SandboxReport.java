package io.dualstackd.pods.cri;

import java.util.List;
import java.util.Optional;

/**
 * The answer to a status request for one sandbox.
 *
 * @param status empty when there is no such sandbox any more
 * @param process id of the sandbox's first process, in the runtime's own process namespace; 0 when the runtime does not report it
 */
public record SandboxReport(Optional<Status> status, int process) {
    /** There is no such sandbox. */
    public static final SandboxReport GONE = new SandboxReport(Optional.empty(), 0);

    /**
     * The state of a sandbox, and what only its status has.
     *
     * @param network empty when the runtime left it out, which is not the same as present without addresses
     */
    public record Status(boolean ready, boolean onHostNetwork, Optional<Network> network) {}

    /**
     * Addresses as the runtime wrote them, not parsed.
     *
     * @param ip the network plugin's first address; empty for pods on the host's network, and for sandboxes that are stopped
     * @param additionalIps the others, in the plugin's order; may hold empty text
     */
    public record Network(String ip, List<String> additionalIps) {
        public Network {
            additionalIps = List.copyOf(additionalIps);
        }
    }
}
