package io.dualstackd.pods.cri.io;

import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import io.dualstackd.supervision.Backoff;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one connection in use. When it fails it is discarded, and a new one is made only after a wait that doubles with each failure;
 * requests made meanwhile are answered with the reason of the last failure.
 */
final class RuntimeConnections implements AutoCloseable {
    private final RuntimeEndpoint endpoint;
    private final RuntimeTransport runtimeTransport;
    private final Backoff backoff;
    private final AtomicLong opened = new AtomicLong();

    private @Nullable RuntimeConnection current;
    private boolean closed;
    private int failures;
    private long notBefore;
    private RuntimeResult.Failure<RuntimeConnection> last = new RuntimeResult.Unreachable<>("");

    /** Discarded channels that may not have terminated yet. */
    private final List<ManagedChannel> leaving = new ArrayList<>();

    RuntimeConnections(RuntimeEndpoint endpoint, RuntimeTimeouts runtimeTimeouts, RuntimeTransport runtimeTransport) {
        this.endpoint = endpoint;
        this.runtimeTransport = runtimeTransport;
        this.backoff = new Backoff(runtimeTimeouts.firstRetry(), runtimeTimeouts.longestRetry());
    }

    /** Returns the connection; makes one now when there is none and the wait is over. */
    synchronized RuntimeResult<RuntimeConnection> take() {
        if (closed) {
            return new RuntimeResult.Unreachable<>("the conversation with " + endpoint + " is over");
        }
        if (current != null) {
            return new RuntimeResult.Ok<>(current);
        }
        if (failures > 0 && System.nanoTime() - notBefore < 0) {
            return last;
        }
        current = new RuntimeConnection(runtimeTransport.channel(endpoint), opened::incrementAndGet);
        return new RuntimeResult.Ok<>(current);
    }

    /** The number of connections made so far. */
    long opened() {
        return opened.get();
    }

    /** An answer was received on this connection. */
    synchronized void works(RuntimeConnection runtimeConnection) {
        if (runtimeConnection == current) {
            failures = 0;
        }
    }

    /** This connection has failed. Only the first report counts. */
    synchronized void failed(RuntimeConnection runtimeConnection, RuntimeResult.Failure<?> why) {
        if (runtimeConnection != current) {
            return;
        }
        current = null;
        last = why.of();
        failures = Math.min(failures + 1, 1000);
        notBefore = System.nanoTime() + jittered(backoff.after(failures)).toNanos();
        leave(runtimeConnection);
    }

    private void leave(RuntimeConnection runtimeConnection) {
        leaving.removeIf(ManagedChannel::isTerminated);
        leaving.add(runtimeConnection.channel().shutdownNow());
    }

    /**
     * Returns a random duration between three quarters and the whole of the wait, so that agents restarted together do not connect at the
     * same time.
     */
    private static Duration jittered(Duration wait) {
        long nanos = wait.toNanos();
        return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 4 + 1));
    }

    /** Closes the connection, and returns when that is complete: every caller still waiting for an answer has received its failure. */
    @Override
    public void close() {
        List<ManagedChannel> open;
        synchronized (this) {
            closed = true;
            if (current != null) {
                leave(current);
                current = null;
            }
            open = List.copyOf(leaving);
        }
        try {
            for (ManagedChannel channel : open) {
                channel.awaitTermination(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            // Then it terminates in the background.
            Thread.currentThread().interrupt();
        }
    }
}
