package io.dualstackd.supervision.io;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A log handler that detects an {@link Error} which a library catches on a thread of its own and only logs (Netty in tasks and listeners,
 * gRPC in callbacks), and treats it as one that left the thread. Other messages of these libraries are discarded: dualstackd logs each
 * error itself, once.
 */
public final class LibraryErrors extends Handler {
    /** Keeps the loggers, by name: {@code java.util.logging} holds them weakly, and a new one would have none of the settings. */
    private static final Map<String, Logger> LISTENED = new ConcurrentHashMap<>();

    private final FatalAction fatal;

    private LibraryErrors(FatalAction fatal) {
        this.fatal = fatal;
    }

    /** @param name of the library's loggers */
    public static synchronized void listen(String name) {
        listen(name, FatalAction.ofThread());
    }

    static void listen(String name, FatalAction fatal) {
        Logger logger = LISTENED.computeIfAbsent(name, Logger::getLogger);
        for (Handler before : logger.getHandlers()) {
            logger.removeHandler(before);
        }
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.WARNING);
        logger.addHandler(new LibraryErrors(fatal));
    }

    /** Ends the process if there is an error among the causes. */
    public static void check(@Nullable Throwable thrown) {
        check(thrown, FatalAction.ofThread());
    }

    private static void check(@Nullable Throwable thrown, FatalAction fatal) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < 20; depth++) {
            // A missing class of an optional part of a library is handled by the library.
            if (cause instanceof VirtualMachineError || cause instanceof AssertionError) {
                fatal.end("thread " + Thread.currentThread().getName(), cause);
                return;
            }
            cause = cause.getCause();
        }
    }

    @Override
    public void publish(LogRecord logRecord) {
        check(logRecord.getThrown(), fatal);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
