package io.dualstackd.agent.app;

import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.Supervisor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives up when something needed for the start does not arrive in time. */
public final class StartupDeadline implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");
    private static final Duration CHECK_PERIOD = Duration.ofSeconds(1);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Duration limit;
    private final Supplier<Optional<String>> awaited;
    private final BooleanSupplier answered;
    private final Runnable giveUp;

    private StartupDeadline(
            Duration limit, BooleanSupplier answered, Supplier<Optional<String>> awaited, Runnable giveUp) {
        this.limit = limit;
        this.answered = answered;
        this.awaited = awaited;
        this.giveUp = giveUp;
    }

    /**
     * Starts to check.
     *
     * @param limit how long it may take
     * @param answered whether the sources have answered at all; the time counts from then on
     * @param awaited what is still missing; empty when nothing is, which ends the check
     */
    public static StartupDeadline start(
            Duration limit,
            BooleanSupplier answered,
            Supplier<Optional<String>> awaited,
            Runnable giveUp,
            Supervisor supervisor) {
        StartupDeadline startupDeadline = new StartupDeadline(limit, answered, awaited, giveUp);
        var _ = supervisor.worker(Component.PATIENCE, startupDeadline::check).start();
        return startupDeadline;
    }

    private void check(Heartbeat heartbeat) throws InterruptedException {
        long since = 0;
        boolean warned = false;
        while (!closed.await(heartbeat.atMost(CHECK_PERIOD).toMillis(), TimeUnit.MILLISECONDS)) {
            heartbeat.beat();
            if (!answered.getAsBoolean()) {
                continue;
            }
            Optional<String> what = awaited.get();
            if (what.isEmpty()) {
                return;
            }
            long now = System.nanoTime();
            if (!warned) {
                warned = true;
                since = now;
                LOG.warn("{} next=give-up-after-{}-s", what.get(), limit.toSeconds());
            }
            if (now - since >= limit.toNanos()) {
                LOG.error("start timed out: {} next=exit-and-leave-the-rules", what.get());
                giveUp.run();
                return;
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
