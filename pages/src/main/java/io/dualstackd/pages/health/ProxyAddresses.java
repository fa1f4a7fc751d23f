package io.dualstackd.pages.health;

import java.util.Optional;

/**
 * The addresses on which the proxy serves its health and metrics.
 *
 * @param healthz {@code /healthz} and {@code /livez}; empty: nowhere
 * @param metrics {@code /proxyMode} and another {@code /healthz}; empty: nowhere
 * @param hardFail a failure to listen is a reason not to start; otherwise it is tried again every 5 s
 */
public record ProxyAddresses(Optional<Listening> healthz, Optional<Listening> metrics, boolean hardFail) {
    /** No addresses. */
    public static final ProxyAddresses NONE = new ProxyAddresses(Optional.empty(), Optional.empty(), false);
}
