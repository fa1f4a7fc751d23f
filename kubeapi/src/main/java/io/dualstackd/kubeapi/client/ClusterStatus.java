package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.WireFormat;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of the connection to the API server.
 *
 * @param synced all resources have been read completely, once
 * @param since start of the present state, watching or outage
 * @param failure reason of the outage; empty when all resources are watched, or before the first response
 * @param tls TLS implementation: {@code BoringSSL}, {@code JDK} or {@code none}
 */
public record ClusterStatus(
        boolean synced, Instant since, Optional<ResourceFailure> failure, String tls, List<Followed> resources) {
    public ClusterStatus {
        resources = List.copyOf(resources);
    }

    /**
     * The state of one resource.
     *
     * @param name {@code services}
     * @param synced it has been read completely, once
     * @param absent the server does not have it
     * @param format the encoding requested from the server
     * @param objects number of objects
     * @param lists how often the resource was listed, the first time included
     * @param events number of changes received from watches
     * @param unreadable objects that cannot be used, with the reason; at most 100
     */
    public record Followed(
            String name,
            boolean synced,
            boolean absent,
            WireFormat format,
            int objects,
            long lists,
            long events,
            List<String> unreadable) {
        public Followed {
            unreadable = List.copyOf(unreadable);
        }
    }
}
