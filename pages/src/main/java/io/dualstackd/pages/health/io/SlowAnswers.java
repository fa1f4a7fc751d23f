package io.dualstackd.pages.health.io;

import io.dualstackd.supervision.io.Supervisor;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes answers that take long, one after the other, on a thread that there is only while some are asked for. */
final class SlowAnswers {
    private static final Logger LOG = LoggerFactory.getLogger("health");

    static final String THREAD = "health-slow";

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
        supervisor.platform().thread(THREAD, this::makeAll).start();
    }

    private void makeAll() {
        try {
            for (Runnable answer = next(); answer != null; answer = next()) {
                make(answer);
            }
        } catch (Error e) {
            supervisor.fatal().end("a page could not be made", e);
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
