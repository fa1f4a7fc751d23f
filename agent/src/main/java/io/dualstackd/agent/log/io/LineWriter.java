package io.dualstackd.agent.log.io;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines to a stream in their order, on the thread {@code log}, so that threads that log go on while nobody reads the stream. When too
 * many wait, further ones are dropped until all of them are written; a line in their place says how many.
 *
 * <p>No supervisor watches the thread: a stream that nobody reads is no reason to end the process, and the supervisor logs through it. An
 * {@link Error} that leaves it ends the process as on any thread, and whatever is logged meanwhile starts it again.
 */
final class LineWriter {
    static final String THREAD = "log";

    /** About 5,000 lines, in characters. A pipe has 64 KiB, and a reader may be slow for a while. */
    static final int MAX_WAITING = 1 << 20;

    private final PrintStream out;
    private final int most;
    private volatile LongFunction<String> gap;
    // The fields below are guarded by this.
    private final Deque<String> waiting = new ArrayDeque<>();
    private int characters;
    private long dropped;
    private boolean writing;
    private @Nullable Thread thread;

    /**
     * @param most the characters that may wait; one line may be longer
     * @param gap the line in the place of so many dropped ones
     */
    LineWriter(PrintStream out, int most, LongFunction<String> gap) {
        this.out = out;
        this.most = most;
        this.gap = gap;
    }

    boolean writesTo(PrintStream stream) {
        return out.equals(stream);
    }

    /** Sets the line in the place of so many dropped ones. */
    void gap(LongFunction<String> now) {
        gap = now;
    }

    /** Has a line written after those that wait already, or drops it. */
    synchronized void add(String line) {
        boolean full = characters > 0 && characters + line.length() > most;
        if (full || dropped > 0) {
            dropped++;
        } else {
            waiting.add(line);
            characters += line.length();
        }
        start();
        notifyAll();
    }

    /** Starts the thread, unless it runs. */
    synchronized void start() {
        if (thread == null) {
            Thread fresh = Thread.ofPlatform().daemon().name(THREAD).unstarted(this::writeAll);
            fresh.start();
            thread = fresh;
        }
    }

    /**
     * Waits until all lines are written, at most {@code longest}. Without a thread, which a process without memory cannot start, the caller
     * writes them.
     */
    void flush(Duration longest) {
        boolean alone;
        synchronized (this) {
            alone = thread == null;
            if (!alone) {
                awaitWritten(System.nanoTime() + longest.toNanos());
            }
        }
        for (String line = alone ? next() : null; line != null; line = next()) {
            out.print(line);
        }
    }

    /** The lines dropped until now, while nobody has read those before them. */
    synchronized long dropped() {
        return dropped;
    }

    private void awaitWritten(long until) {
        boolean interrupted = false;
        for (long left = until - System.nanoTime(); isBusy() && left > 0; left = until - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                // The last words of a thread that was interrupted count, too.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isBusy() {
        return writing || !waiting.isEmpty() || dropped > 0;
    }

    private void writeAll() {
        try {
            while (true) {
                out.print(await());
            }
        } catch (InterruptedException e) {
            // Nobody does that; the next line starts it again.
        } finally {
            synchronized (this) {
                thread = null;
                writing = false;
                notifyAll();
            }
        }
    }

    private synchronized String await() throws InterruptedException {
        writing = false;
        String line = next();
        while (line == null) {
            notifyAll();
            wait();
            line = next();
        }
        writing = true;
        return line;
    }

    private synchronized @Nullable String next() {
        String line = waiting.poll();
        if (line != null) {
            characters -= line.length();
            return line;
        }
        long lost = dropped;
        dropped = 0;
        return lost == 0 ? null : gap.apply(lost);
    }
}
