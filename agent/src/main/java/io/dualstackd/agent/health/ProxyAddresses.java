package io.dualstackd.agent.health;

import java.util.Optional;

/**
 * Where the proxy says how it is.
 *
 * @param healthz {@code /healthz} and {@code /livez}; empty: nowhere
 * @param metrics {@code /proxyMode} and another {@code /healthz}; empty: nowhere
 * @param hardFail an address that cannot be had is a reason not to start; otherwise it is tried again every 5 s
 */
public record ProxyAddresses(Optional<Listening> healthz, Optional<Listening> metrics, boolean hardFail) {
    /** Nowhere. */
    public static final ProxyAddresses NONE = new ProxyAddresses(Optional.empty(), Optional.empty(), false);
}
