package io.dualstackd.kubeapi.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How it stands with the API server.
 *
 * @param server its URL
 * @param synced everything has been read completely, once
 * @param since when it became as it is: followed, or out
 * @param trouble why it is out; empty when everything is followed, or nothing was answered yet
 * @param tls who encrypts: {@code BoringSSL}, {@code JDK} or {@code none}
 */
public record ClusterStatus(
        String server,
        boolean synced,
        Instant since,
        Optional<ResourceFailure> trouble,
        String tls,
        List<Followed> resources) {
    public ClusterStatus {
        resources = List.copyOf(resources);
    }

    /**
     * One resource.
     *
     * @param name {@code services}
     * @param synced it has been read completely, once
     * @param absent the server does not have it
     * @param format how the server is asked to write
     * @param resourceVersion from where it is followed; empty before the first list's end
     * @param objects how many there are
     * @param lists how often it was read from the beginning, the first time included
     * @param events how many changes a watch told
     * @param lastEvent when something was told last
     * @param trouble why it is not followed now
     * @param unreadable objects that cannot be used, with the reason; at most 100
     */
    public record Followed(
            String name,
            boolean synced,
            boolean absent,
            WireFormat format,
            String resourceVersion,
            int objects,
            long lists,
            long events,
            Optional<Instant> lastEvent,
            Optional<ResourceFailure> trouble,
            List<String> unreadable) {
        public Followed {
            unreadable = List.copyOf(unreadable);
        }
    }
}
