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
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Duration limit;
    private final Supplier<Optional<String>> awaited;
    private final BooleanSupplier asked;
    private final Runnable giveUp;

    private StartupDeadline(
            Duration limit, BooleanSupplier asked, Supplier<Optional<String>> awaited, Runnable giveUp) {
        this.limit = limit;
        this.asked = asked;
        this.awaited = awaited;
        this.giveUp = giveUp;
    }

    /**
     * Starts to check.
     *
     * @param limit how long it may take
     * @param asked whether the sources have answered at all; the time counts from then on
     * @param awaited what is still missing; empty when nothing is, which ends the check
     */
    public static StartupDeadline start(
            Duration limit,
            BooleanSupplier asked,
            Supplier<Optional<String>> awaited,
            Runnable giveUp,
            Supervisor supervisor) {
        StartupDeadline startupDeadline = new StartupDeadline(limit, asked, awaited, giveUp);
        var _ = supervisor.worker(Component.PATIENCE, startupDeadline::look).start();
        return startupDeadline;
    }

    private void look(Heartbeat heartbeat) throws InterruptedException {
        long since = 0;
        boolean said = false;
        while (!closed.await(heartbeat.atMost(LOOK).toMillis(), TimeUnit.MILLISECONDS)) {
            heartbeat.beat();
            if (!asked.getAsBoolean()) {
                continue;
            }
            Optional<String> what = awaited.get();
            if (what.isEmpty()) {
                return;
            }
            long now = System.nanoTime();
            if (!said) {
                said = true;
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
