package io.dualstackd.agent.notify;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variables that systemd sets for a service it starts.
 *
 * @param socket where notifications go: a path, or an abstract name with {@code @} in front; empty when none are expected
 * @param watchdog the interval within which the watchdog must be fed; empty when there is none
 */
public record ServiceEnvironment(Optional<String> socket, Optional<Duration> watchdog) {
    /** No notifications are expected. */
    public static final ServiceEnvironment NONE = new ServiceEnvironment(Optional.empty(), Optional.empty());

    /**
     * Reads {@code NOTIFY_SOCKET}, {@code WATCHDOG_USEC} and {@code WATCHDOG_PID}; what is invalid or meant for another process is ignored.
     */
    public static ServiceEnvironment of(Map<String, String> environment, long pid) {
        Optional<String> socket = Optional.ofNullable(environment.get("NOTIFY_SOCKET"))
                .filter(name -> name.length() > 1 && (name.startsWith("/") || name.startsWith("@")));
        if (socket.isEmpty()) {
            return NONE;
        }
        String forWhom = environment.getOrDefault("WATCHDOG_PID", "");
        boolean forUs = forWhom.isEmpty() || forWhom.equals(Long.toString(pid));
        return new ServiceEnvironment(socket, forUs ? micros(environment.get("WATCHDOG_USEC")) : Optional.empty());
    }

    private static Optional<Duration> micros(@Nullable String text) {
        // More digits than a day has are no watchdog.
        if (text == null || !text.matches("[0-9]{1,12}") || Long.parseLong(text) == 0) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofNanos(Long.parseLong(text) * 1000));
    }

    /** The heartbeat interval of a reconciler, short enough that only a stuck reconciler is taken for one. */
    public Optional<Duration> pulse() {
        return watchdog.map(every -> every.dividedBy(6));
    }
}
