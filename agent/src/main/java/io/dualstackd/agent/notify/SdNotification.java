package io.dualstackd.agent.notify;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** One assignment of a notification to systemd; {@code sd_notify(3)} defines each. */
public sealed interface SdNotification {
    /** The start is complete, or a reload is. */
    record Ready() implements SdNotification {}

    /** A reload has begun, at this time in microseconds of {@code CLOCK_MONOTONIC}. */
    record Reloading(long at) implements SdNotification {}

    /** The shutdown has begun. */
    record Stopping() implements SdNotification {}

    /** One line for {@code systemctl status}; control characters become blanks. */
    record Status(String text) implements SdNotification {}

    /** Feeds the watchdog. */
    record Watchdog() implements SdNotification {}

    /** The main process of the service. */
    record MainPid(long pid) implements SdNotification {}

    /** Extends the timeout of the current start, reload or stop, counted from now. */
    record ExtendTimeout(Duration by) implements SdNotification {}

    /** The assignment in the format of systemd, without a line end. */
    default String line() {
        return switch (this) {
            case Ready() -> "READY=1";
            case Reloading(long at) -> "RELOADING=1\nMONOTONIC_USEC=" + at;
            case Stopping() -> "STOPPING=1";
            case Status(String text) -> "STATUS=" + text.replaceAll("\\p{Cntrl}", " ");
            case Watchdog() -> "WATCHDOG=1";
            case MainPid(long pid) -> "MAINPID=" + pid;
            case ExtendTimeout(Duration by) -> "EXTEND_TIMEOUT_USEC=" + by.toNanos() / 1000;
        };
    }

    /** One datagram with all notifications. */
    static byte[] datagram(List<SdNotification> notices) {
        return notices.stream()
                .map(SdNotification::line)
                .collect(Collectors.joining("\n"))
                .getBytes(StandardCharsets.UTF_8);
    }
}
