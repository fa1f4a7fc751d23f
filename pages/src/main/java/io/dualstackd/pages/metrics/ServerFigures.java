package io.dualstackd.pages.metrics;

import io.dualstackd.kubeapi.client.ClusterStatus;
import java.time.Duration;
import java.util.List;

/**
 * The figures of the connection to the API server.
 *
 * @param up changes arrive
 * @param outage how long they have not arrived; zero while up
 * @param resources that are followed
 * @param host of the server, with its port
 * @param requests their results
 */
public record ServerFigures(
        boolean up, Duration outage, List<ClusterStatus.Followed> resources, String host, RequestMeter requests) {
    public ServerFigures {
        resources = List.copyOf(resources);
    }
}
