package io.dualstackd.kubeapi.client.io;

import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Limits the silence within a response: one timer for all its pieces, which is set again when it runs out too early. */
final class SilenceTimer {
    private final ApiLoop loop;
    private final Runnable expired;
    private long deadline;
    private long wakes;
    private Duration limit = Duration.ZERO;
    private @Nullable ScheduledFuture<?> timer;

    /** @param expired called on the loop when nothing arrived in time */
    SilenceTimer(ApiLoop loop, Runnable expired) {
        this.loop = loop;
        this.expired = expired;
    }

    /** Bytes must arrive within this time. */
    void expect(Duration within) {
        limit = within;
        deadline = loop.platform().nanoTime() + within.toNanos();
        if (timer == null || deadline - wakes < 0) {
            stop();
            wake(within);
        }
    }

    /** The time within which bytes must arrive. */
    Duration limit() {
        return limit;
    }

    void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void wake(Duration after) {
        wakes = loop.platform().nanoTime() + after.toNanos();
        timer = loop.schedule(this::check, after);
    }

    private void check() {
        long left = deadline - loop.platform().nanoTime();
        if (timer != null && left > 0) {
            wake(Duration.ofNanos(left));
        } else if (timer != null) {
            expired.run();
        }
    }
}
