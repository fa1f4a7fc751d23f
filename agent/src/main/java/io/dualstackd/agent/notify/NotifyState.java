package io.dualstackd.agent.notify;

import io.dualstackd.agent.admin.StatusReport;
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
 * What was said so far, and from it what to say next. Times are nanoseconds of a clock that only goes forward.
 *
 * @param ready READY was said
 * @param status the last STATUS
 * @param fed when the watchdog was fed last
 * @param extended when the time to start was extended last
 */
public record NotifyState(boolean ready, String status, long fed, long extended) {
    /** A start may take that much longer than this moment, */
    private static final Duration MORE = Duration.ofSeconds(60);
    /** which is said so often, */
    private static final Duration AGAIN = Duration.ofSeconds(10);
    /** unless a line has been busy with its first rules for so long. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    /** Nothing was said yet. */
    public static NotifyState begun(long now) {
        return new NotifyState(false, "", now, now - AGAIN.toNanos());
    }

    /** What to say now, and what was said then. */
    public record Step(NotifyState then, List<SdNotification> notices) {}

    /**
     * Looks how things stand.
     *
     * @param watched somebody waits for the watchdog to be fed
     * @param oldestBeat of the beats of the lines, of each the last one
     */
    public Step next(long now, StatusReport report, boolean watched, long oldestBeat) {
        List<SdNotification> notices = new ArrayList<>();
        boolean readyNow = ready || report.isInForce();
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
        boolean works = report.components().stream().noneMatch(ComponentState::isFatal);
        boolean feed = readyNow && watched && works && oldestBeat - fed > 0;
        if (feed) {
            notices.add(new Watchdog());
        }
        return new Step(new NotifyState(readyNow, statusNow, feed ? now : fed, extendedNow), List.copyOf(notices));
    }
}
