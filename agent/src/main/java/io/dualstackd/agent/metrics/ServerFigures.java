package io.dualstackd.agent.metrics;

import java.time.Duration;

/**
 * How it stands with the API server, and what was counted about it since the start.
 *
 * @param up news come
 * @param outage how long they have not come; zero while up
 * @param news objects that came with watches
 * @param lists complete readings, the first ones included
 * @param interruptions watches and lists that ended otherwise than agreed
 */
public record ServerFigures(boolean up, Duration outage, long news, long lists, long interruptions) {}
