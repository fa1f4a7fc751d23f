package io.dualstackd.pods.cri;

import java.util.List;

/**
 * Addresses as the runtime wrote them, not parsed.
 *
 * @param ip the network plugin's first address; empty for pods on the host's network, and for sandboxes that are stopped
 * @param additionalIps the others, in the plugin's order; may hold empty text
 */
public record NetworkStatus(String ip, List<String> additionalIps) {
    public NetworkStatus {
        additionalIps = List.copyOf(additionalIps);
    }
}
