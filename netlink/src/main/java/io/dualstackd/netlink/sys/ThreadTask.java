package io.dualstackd.netlink.sys;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Work on a platform thread of its own, which ends with the work. The thread begins in the network namespace of the one that starts it. */
public final class ThreadTask<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private ThreadTask(FutureTask<T> task, Thread thread) {
        this.task = task;
        this.thread = thread;
    }

    /** Starts the work on a thread of this name. */
    public static <T> ThreadTask<T> start(String name, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        return new ThreadTask<>(
                task, Thread.ofPlatform().name(name).daemon(true).start(task));
    }

    /**
     * Waits for the end of the work. An interrupt of the waiting thread is passed on to the work.
     *
     * @throws Exception what the work throws; an {@code Error} of it is thrown as well
     */
    public T await() throws Exception {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    // The work decides how to handle an interrupt; returning before its end would leave it running.
                    interrupted = true;
                    thread.interrupt();
                } catch (ExecutionException e) {
                    throw asThrown(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Exception asThrown(@Nullable Throwable cause) {
        return switch (cause) {
            case Exception exception -> exception;
            case Error error -> throw error;
            case null, default -> new IllegalStateException(cause);
        };
    }
}
