package io.dualstackd.dataplane.model;

import java.util.List;

/**
 * A service port and every endpoint the cluster knows for it, ready or not.
 *
 * @param endpoints sorted by the text {@code IP:port}; the order decides rule order and so keeps output stable
 */
public record PortView(ServicePort port, List<Endpoint> endpoints) {
    public PortView {
        endpoints = List.copyOf(endpoints);
    }
}
