package io.dualstackd.netlink.sys;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs code on a platform thread that ends afterwards. This keeps {@code setns} and {@code unshare} without side effects: they change one
 * thread of the operating system, and no other code ever runs on that one.
 */
final class ThrowAwayThread {
    private ThrowAwayThread() {}

    static <T> T call(String name, Callable<T> code) throws Exception {
        FutureTask<T> task = new FutureTask<>(code);
        Thread thread = Thread.ofPlatform().name(name).daemon(true).start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    // The code decides how to handle an interrupt; returning before its end would leave it running.
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
