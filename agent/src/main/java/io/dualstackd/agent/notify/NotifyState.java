package io.dualstackd.agent.notify;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.agent.notify.SdNotification.ExtendTimeout;
import io.dualstackd.agent.notify.SdNotification.MainPid;
import io.dualstackd.agent.notify.SdNotification.Ready;
import io.dualstackd.agent.notify.SdNotification.Status;
import io.dualstackd.agent.notify.SdNotification.Watchdog;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The notifications sent so far, from which the next ones follow. Times are nanoseconds of a monotonic clock.
 *
 * @param ready READY was sent since the last start
 * @param watched READY was sent since this process began: systemd expects the watchdog to be fed from then on, also during a reload
 * @param status the last STATUS
 * @param extended when the start timeout was last extended
 */
public record NotifyState(boolean ready, boolean watched, String status, long extended) {
    /** The time from now to which an extension moves the start timeout. */
    private static final Duration MORE = Duration.ofSeconds(60);
    /** The interval between extensions of the start timeout. */
    private static final Duration AGAIN = Duration.ofSeconds(10);
    /** A reconciler that has been busy with its first rules for so long gets no more extensions. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    /** The state before the first notification. */
    public static NotifyState begun(long now) {
        return new NotifyState(false, false, "", now - AGAIN.toNanos());
    }

    /** The state when the daemon starts again in the same process. */
    public NotifyState again(long now) {
        return new NotifyState(false, watched, "", now - AGAIN.toNanos());
    }

    /** The notifications to send now, and the state afterwards. */
    public record Step(NotifyState then, List<SdNotification> notices) {}

    /**
     * Determines the notifications for the current status.
     *
     * @param watchdog the watchdog is enabled
     * @param oldestBeat the oldest of the last heartbeats of all reconcilers
     */
    public Step next(long now, StatusReport report, boolean watchdog, long oldestBeat) {
        List<SdNotification> notices = new ArrayList<>();
        boolean readyNow = ready || report.isInForce();
        boolean watchedNow = watched || readyNow;
        if (readyNow && !ready) {
            notices.add(new Ready());
            notices.add(new MainPid(report.pid()));
        }
        long extendedNow = extended;
        if (!readyNow && now - extended >= AGAIN.toNanos() && now - oldestBeat < STUCK.toNanos()) {
            notices.add(new ExtendTimeout(MORE));
            extendedNow = now;
        }
        String statusNow = StatusLine.of(report);
        if (!statusNow.equals(status)) {
            notices.add(new Status(statusNow));
        }
        // A sync may take longer than the watchdog's time: how long each component may, is decided by its deadline
        // alone.
        if (watchedNow && watchdog && report.components().stream().noneMatch(ComponentState::isFatal)) {
            notices.add(new Watchdog());
        }
        return new Step(new NotifyState(readyNow, watchedNow, statusNow, extendedNow), List.copyOf(notices));
    }
}
