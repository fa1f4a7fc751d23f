package io.dualstackd.agent.notify;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What systemd says to a service it starts.
 *
 * @param socket where notices go: a path, or an abstract name with {@code @} in front; empty when nobody listens
 * @param watchdog how often the service must say that it lives; empty when nobody waits for that
 */
public record ServiceEnvironment(Optional<String> socket, Optional<Duration> watchdog) {
    /** Nobody listens. */
    public static final ServiceEnvironment NONE = new ServiceEnvironment(Optional.empty(), Optional.empty());

    /** Of {@code NOTIFY_SOCKET}, {@code WATCHDOG_USEC} and {@code WATCHDOG_PID}; what is not for us or makes no sense is left out. */
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

    /** How often a line must show that it lives, so that nothing else than a line that is stuck is taken for one. */
    public Optional<Duration> pulse() {
        return watchdog.map(every -> every.dividedBy(6));
    }
}
