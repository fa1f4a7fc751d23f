package io.dualstackd.agent.app;

import io.dualstackd.agent.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of {@code run}. SIGTERM and SIGINT start the JVM's shutdown; what was started is closed there, last first, and the process
 * ends as one that was asked to. A signal that comes while things are being started waits until they are.
 */
public final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final CountDownLatch gaveUp = new CountDownLatch(1);
    private volatile ExitCode code = ExitCode.OK;
    private final Thread hook = Thread.ofPlatform().name("shutdown").unstarted(this::end);

    public Shutdown() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts things, and hands over how to close each as soon as it is there. */
    public interface Start {
        void run(Consumer<Runnable> closer) throws IOException;
    }

    /** Runs {@code start}; when it fails, what it had started is closed at once. */
    public synchronized void whileStarting(Start start) throws IOException {
        try {
            start.run(closers::push);
        } catch (IOException | RuntimeException e) {
            closeAll();
            forget();
            throw e;
        }
    }

    /** Returns when somebody gives up; else the process ends in the hook. */
    public ExitCode await() {
        try {
            gaveUp.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return code;
    }

    /** Ends the process as one that failed. */
    public void giveUp() {
        code = ExitCode.FAILED;
        gaveUp.countDown();
    }

    private synchronized void end() {
        LOG.info("stopping next=rules-stay-in-the-kernel");
        closeAll();
        LOG.info("stopped");
        Runtime.getRuntime().halt(code.number());
    }

    private void closeAll() {
        while (!closers.isEmpty()) {
            closers.pop().run();
        }
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown has begun; its hook finds nothing to close.
        }
    }
}
