package io.dualstackd.supervision.io;

import io.dualstackd.supervision.Backoff;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a component. It runs the component's loop; an exception that leaves the loop is logged, and the loop runs again after a
 * growing pause. Any other {@link Throwable} (an {@link Error}) leaves the thread and ends the process.
 */
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));

    /** A loop that ran for this long has worked: the next pause is the shortest again. */
    private static final long WORKED = TimeUnit.MINUTES.toNanos(1);

    /** The work of a component until it is closed. */
    @FunctionalInterface
    public interface Loop {
        /**
         * Returns when the component is closed, and beats until then.
         *
         * @throws InterruptedException has the same effect as returning
         * @throws Exception causes another call after a pause
         */
        void run(Heartbeat heartbeat) throws Exception;
    }

    private final Supervisor.Row row;
    private final Loop loop;
    private final FatalAction fatal;
    private final Platform platform;
    private final Platform.Latch stopped;
    private final Platform.Task thread;

    Worker(Supervisor.Row row, Loop loop, FatalAction fatal, Platform platform) {
        this.row = row;
        this.loop = loop;
        this.fatal = fatal;
        this.platform = platform;
        this.stopped = platform.latch();
        this.thread = platform.thread(component().toString(), this::live);
    }

    private Component component() {
        return row.component();
    }

    /** Starts the thread; to be called once. */
    public Worker start() {
        row.beat();
        thread.start();
        return this;
    }

    /** Prevents the loop from being started again; a running loop must be ended separately. */
    public void stop() {
        stopped.open();
    }

    /** As {@link #stop}, and interrupts the loop. */
    public void interrupt() {
        stop();
        thread.interrupt();
    }

    /** Waits for the end of the thread, once it was stopped. */
    public void join() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether this is the worker's own thread. */
    public boolean isCurrent() {
        return thread.isCurrent();
    }

    private boolean isStopped() {
        return stopped.isOpen();
    }

    private void live() {
        try {
            int failures = 0;
            String lastText = "";
            while (!isStopped()) {
                long begun = platform.nanoTime();
                try {
                    row.beat();
                    loop.run(row);
                    return;
                } catch (InterruptedException e) {
                    return;
                } catch (Exception e) {
                    if (isStopped()) {
                        LOG.debug("{} ended", component(), e);
                        return;
                    }
                    failures = platform.nanoTime() - begun > WORKED ? 1 : failures + 1;
                    Duration pause = BACKOFF.after(failures);
                    lastText = log(e, lastText, pause);
                    row.failed(e);
                    row.quiet(pause);
                    boolean ignored = stopped.await(pause);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} ended while it waited", component());
        } catch (Throwable e) {
            fatal.end("component " + component() + " failed", e);
        } finally {
            row.close();
        }
    }

    /** Logs the exception, with the stack trace only when it differs from {@code lastText}; returns its text. */
    private String log(Exception e, String lastText, Duration pause) {
        String what = e.toString();
        if (what.equals(lastText)) {
            LOG.warn(
                    "component failed again component={} reason=\"{}\" next=start-again retryMs={}",
                    component(),
                    what,
                    pause.toMillis());
        } else {
            LOG.error(
                    "component failed component={} reason=\"{}\" next=start-again retryMs={}",
                    component(),
                    what,
                    pause.toMillis(),
                    e);
        }
        return what;
    }
}
