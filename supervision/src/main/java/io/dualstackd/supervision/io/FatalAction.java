package io.dualstackd.supervision.io;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done when the process must not go on. Injected, as tests run daemons in their own process. */
@FunctionalInterface
public interface FatalAction {
    /** As one that failed; {@code ExitCode.FAILED} has the same number. */
    int STATUS = 1;

    /**
     * May be called by any thread, with no memory left.
     *
     * @param why names the component or thread
     */
    void end(String why, Throwable cause);

    /** Ends the process. Nothing is closed: the rules stay in the kernel, and whatever started the daemon starts it again. */
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

    /** What leaves a thread of a process in which {@link #install} was called ends it; elsewhere it does what the JVM does. */
    static FatalAction ofThread() {
        return (why, cause) -> {
            Thread thread = Thread.currentThread();
            Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
            if (handler == null) {
                Log.LOG.error("must not go on reason=\"{}\"", why, cause);
            } else {
                handler.uncaughtException(thread, cause);
            }
        };
    }

    /** From now on, this is done about everything that leaves any thread. */
    default void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> end("thread " + thread.getName(), cause));
    }

    /** Its logger, made before memory is short. */
    final class Log {
        private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

        private Log() {}
    }
}
