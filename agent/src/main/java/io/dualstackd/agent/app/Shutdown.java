package io.dualstackd.agent.app;

import io.dualstackd.agent.cli.ExitCode;
import io.dualstackd.agent.log.io.LogSetup;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shutdown of {@code run}. SIGTERM and SIGINT start the JVM's shutdown; what was started is closed there in reverse order, and the
 * process ends with the exit code of an orderly stop. A signal that arrives during the start waits for its end. {@link #startAgain} closes the
 * same things without ending the process; a signal that arrives before the next start ends the process in the same way.
 */
public final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    private final Deque<Runnable> closers = new ArrayDeque<>();
    private volatile CountDownLatch gaveUp = new CountDownLatch(1);
    private volatile ExitCode code = ExitCode.OK;
    private volatile boolean again;
    private final Thread hook = Thread.ofPlatform().name("shutdown").unstarted(this::end);

    public Shutdown() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts things, and registers how to close each as soon as it is started. */
    public interface Start {
        void run(Consumer<Runnable> closer) throws IOException;
    }

    /** Runs {@code start}; when it fails, what it had started is closed at once. */
    public synchronized void whileStarting(Start start) throws IOException {
        try {
            start.run(closers::push);
        } catch (IOException | RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    /**
     * Returns after {@link #giveUp}, and after {@link #startAgain} when everything is closed, with an empty result; otherwise the process
     * ends in the shutdown hook.
     */
    public Optional<ExitCode> await() {
        try {
            gaveUp.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Giving up counts more than starting again.
        if (!again || code == ExitCode.FAILED) {
            return Optional.of(code);
        }
        synchronized (this) {
            closeAll();
            again = false;
            gaveUp = new CountDownLatch(1);
        }
        return Optional.empty();
    }

    /** Closes what was started, so that it can be started anew; does not wait for it. */
    public void startAgain() {
        again = true;
        gaveUp.countDown();
    }

    /** Whether {@link #startAgain} was called, so that what is closed now will be there again in a moment. */
    public boolean isStartingAgain() {
        return again;
    }

    /** Ends the process with the exit code of a failure. */
    public void giveUp() {
        code = ExitCode.FAILED;
        gaveUp.countDown();
    }

    private synchronized void end() {
        LOG.info("stopping next=rules-stay-in-the-kernel");
        closeAll();
        LOG.info("stopped");
        LogSetup.flush();
        Runtime.getRuntime().halt(code.number());
    }

    private void closeAll() {
        while (!closers.isEmpty()) {
            close(closers.pop());
        }
    }

    /** Closes one part; an exception is logged, because the others still have to leave their state to the next process. */
    static void close(Runnable closer) {
        try {
            closer.run();
        } catch (RuntimeException e) {
            LOG.error("part not closed because of a bug, please report it", e);
        }
    }

    /** Leaves the end of the process to the caller, after a start that failed. */
    public void cancel() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown has begun; its hook finds nothing to close.
        }
    }
}
