package io.dualstackd.agent.notify;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** One line of what a service tells systemd; {@code sd_notify(3)} says what each means. */
public sealed interface SdNotification {
    /** The start is over, or a reload is. */
    record Ready() implements SdNotification {}

    /** A reload has begun, at so many microseconds of {@code CLOCK_MONOTONIC}. */
    record Reloading(long at) implements SdNotification {}

    /** The end has begun. */
    record Stopping() implements SdNotification {}

    /** One line for {@code systemctl status}; control characters become blanks. */
    record Status(String text) implements SdNotification {}

    /** All is alive. */
    record Watchdog() implements SdNotification {}

    /** The process that counts. */
    record MainPid(long pid) implements SdNotification {}

    /** What goes on may take so much longer, from now on. */
    record ExtendTimeout(Duration by) implements SdNotification {}

    /** As systemd reads it, without a line's end. */
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

    /** One datagram with all of them. */
    static byte[] datagram(List<SdNotification> notices) {
        return notices.stream()
                .map(SdNotification::line)
                .collect(Collectors.joining("\n"))
                .getBytes(StandardCharsets.UTF_8);
    }
}
