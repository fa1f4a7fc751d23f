package io.dualstackd.agent.metrics;

import java.time.Duration;
import java.util.List;

/**
 * The figures of the connection to the API server.
 *
 * @param up changes arrive
 * @param outage how long they have not arrived; zero while up
 * @param resources that are followed
 * @param requests their results
 */
public record ServerFigures(boolean up, Duration outage, List<Resource> resources, RequestFigures requests) {
    public ServerFigures {
        resources = List.copyOf(resources);
    }

    /**
     * One resource.
     *
     * @param name {@code services}
     * @param objects there are now
     * @param lists how often it was read from the beginning, the first time included
     * @param events changes that a watch reported
     * @param unreadable objects that cannot be used
     */
    public record Resource(String name, int objects, long lists, long events, int unreadable) {}
}
