package io.dualstackd.supervision.io;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The action for a fatal error. Injected, because tests run daemons in their own process. */
@FunctionalInterface
public interface FatalAction {
    /** The exit status of a failure; {@code ExitCode.FAILED} has the same number. */
    int STATUS = 1;

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
                Log.LOG.error(
                        "process ends at once, rules stay in the kernel reason=\"{}\" next=start-again", why, cause);
            } finally {
                Runtime.getRuntime().halt(STATUS);
            }
        };
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

        private Log() {}
    }
}
