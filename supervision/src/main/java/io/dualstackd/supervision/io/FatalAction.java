package io.dualstackd.supervision.io;

import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.logging.Handler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The action for a fatal error. Injected, because tests run daemons in their own process. */
@FunctionalInterface
public interface FatalAction {
    /** The exit status of a failure; {@code ExitCode.FAILED} has the same number. */
    int STATUS = 1;

    /** How long the end of a process takes at most. */
    Duration LONGEST = Duration.ofSeconds(1);

    /**
     * Performs the action. May be called by any thread, with no memory left.
     *
     * @param why names the component or thread
     */
    void end(String why, Throwable cause);

    /** Ends the process. Nothing is closed: the rules stay in the kernel, and the service manager starts the daemon again. */
    static FatalAction ofProcess() {
        return (why, cause) -> {
            try {
                haltSoon();
                Log.LOG.error(
                        "process ends at once, rules stay in the kernel reason=\"{}\" next=start-again", why, cause);
                for (Handler handler : Log.ROOT.getHandlers()) {
                    handler.flush();
                }
            } finally {
                Runtime.getRuntime().halt(STATUS);
            }
        };
    }

    /** Ends the process after a while even if the log blocks. Without memory for a thread, the log has to work. */
    private static void haltSoon() {
        Platform platform = Platform.system();
        try {
            platform.thread("halt", () -> {
                        try {
                            boolean ignored = platform.latch().await(LONGEST);
                        } catch (InterruptedException e) {
                            // Nobody does that.
                        } finally {
                            Runtime.getRuntime().halt(STATUS);
                        }
                    })
                    .start();
        } catch (OutOfMemoryError e) {
            // The process ends as soon as this is logged.
        }
    }

    /**
     * Returns an action for an error that leaves a thread: ends the process if {@link #install} was called, otherwise does the same as the
     * JVM.
     */
    static FatalAction ofThread() {
        return (why, cause) -> {
            Thread thread = Thread.currentThread();
            Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
            if (handler == null) {
                Log.LOG.error("the process must end reason=\"{}\"", why, cause);
            } else {
                handler.uncaughtException(thread, cause);
            }
        };
    }

    /** Performs this action for everything that any thread does not catch, from now on. */
    default void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> end("thread " + thread.getName(), cause));
    }

    /** Holds the logger, created before memory is short. */
    final class Log {
        private static final Logger LOG = LoggerFactory.getLogger("dualstackd");
        private static final java.util.logging.Logger ROOT = java.util.logging.Logger.getLogger("");

        private Log() {}
    }
}
