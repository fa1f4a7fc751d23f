package io.dualstackd.pages.health.io;

import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.Supervisor;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes answers that take long, one after the other, on a thread that there is only while some are asked for. The supervisor watches it: one
 * answer that is never finished would hold up all others.
 */
final class SlowAnswers {
    private static final Logger LOG = LoggerFactory.getLogger("health");

    private final Supervisor supervisor;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    SlowAnswers(Supervisor supervisor) {
        this.supervisor = supervisor;
    }

    /** Has an answer made, after those that wait already. */
    void add(Runnable answer) {
        synchronized (this) {
            waiting.add(answer);
            if (running) {
                return;
            }
            running = true;
        }
        var _ = supervisor.worker(Component.HEALTH_SLOW, this::makeAll).start();
    }

    /** Removes an answer, unless it is being made: without a client for it, so that no more wait than there are connections. */
    synchronized void remove(Runnable answer) {
        waiting.remove(answer);
    }

    /** The number of answers that are not begun. */
    synchronized int waiting() {
        return waiting.size();
    }

    private void makeAll(Heartbeat heartbeat) {
        for (Runnable answer = next(); answer != null; answer = next()) {
            heartbeat.beat();
            make(answer);
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable answer = waiting.poll();
        running = answer != null;
        return answer;
    }

    private static void make(Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException e) {
            LOG.error("conversation ended by a bug next=others-go-on", e);
        }
    }
}
