package io.dualstackd.agent.faults;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a daemon running as systemd and kubelet do: it is started again a second after its end, and killed when {@code /livez} has not said
 * 200 for eight probes, 15 s each, as in the manifest.
 */
final class Supervisor implements AutoCloseable {
    private static final long RESTART_MILLIS = 1000;
    private static final long LIVENESS_NANOS = 8 * 15 * 1_000_000_000L;

    private final Starter starter;
    private final AtomicInteger restarts = new AtomicInteger();
    private final AtomicInteger livenessKills = new AtomicInteger();
    private volatile @Nullable ChildDaemon daemon;
    private volatile boolean closed;
    private volatile boolean held;
    private long lively = System.nanoTime();

    interface Starter {
        ChildDaemon start() throws IOException;
    }

    private Supervisor(Starter starter) {
        this.starter = starter;
    }

    static Supervisor start(Starter starter) throws IOException {
        Supervisor supervisor = new Supervisor(starter);
        supervisor.daemon = starter.start();
        Thread.ofPlatform().daemon().name("supervisor").start(supervisor::supervise);
        return supervisor;
    }

    ChildDaemon daemon() {
        return Objects.requireNonNull(daemon);
    }

    /** How often it was started again. */
    int restarts() {
        return restarts.get();
    }

    int livenessKills() {
        return livenessKills.get();
    }

    /** While it is held, a daemon that ended is not started again. */
    void hold(boolean on) {
        held = on;
    }

    private void supervise() {
        try {
            while (!closed) {
                daemon().awaitEnd();
                Thread.sleep(RESTART_MILLIS);
                if (!closed && !held) {
                    restarts.incrementAndGet();
                    daemon = starter.start();
                    lively(true);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** What a probe of {@code /livez} saw. */
    synchronized void lively(boolean yes) {
        long now = System.nanoTime();
        if (yes) {
            lively = now;
        } else if (now - lively > LIVENESS_NANOS) {
            lively = now;
            livenessKills.incrementAndGet();
            daemon().kill();
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        daemon().kill();
        daemon().awaitEnd();
    }
}
