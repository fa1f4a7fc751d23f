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
 * The one connection in use. When it turns out to lead nowhere it is thrown away, and no other is made before a wait is over that
 * doubles with each failure; questions asked meanwhile are answered with the reason of the last failure.
 */
final class RuntimeConnections implements AutoCloseable {
    private final RuntimeEndpoint endpoint;
    private final RuntimeTransport runtimeTransport;
    private final Backoff backoff;
    private final AtomicLong made = new AtomicLong();

    private @Nullable RuntimeConnection current;
    private boolean closed;
    private int failures;
    private long notBefore;
    private RuntimeResult.Failure<RuntimeConnection> last = new RuntimeResult.Unreachable<>("");

    /** Thrown away, and maybe not quite gone. */
    private final List<ManagedChannel> leaving = new ArrayList<>();

    RuntimeConnections(RuntimeEndpoint endpoint, RuntimeTimeouts runtimeTimeouts, RuntimeTransport runtimeTransport) {
        this.endpoint = endpoint;
        this.runtimeTransport = runtimeTransport;
        this.backoff = new Backoff(runtimeTimeouts.firstRetry(), runtimeTimeouts.longestRetry());
    }

    /** The connection, made now when there is none and the wait is over. */
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
        current = new RuntimeConnection(runtimeTransport.channel(endpoint), made::incrementAndGet);
        return new RuntimeResult.Ok<>(current);
    }

    /** How often it was made so far. */
    long made() {
        return made.get();
    }

    /** Somebody answered on it. */
    synchronized void works(RuntimeConnection runtimeConnection) {
        if (runtimeConnection == current) {
            failures = 0;
        }
    }

    /** It leads nowhere. Only the first to say so counts. */
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

    /** Between three quarters and the whole of it, so that agents restarted together do not knock together. */
    private static Duration jittered(Duration wait) {
        long nanos = wait.toNanos();
        return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 4 + 1));
    }

    /** Hangs up, and returns when that has happened: whoever still waits for an answer has been told. */
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
            // Then it ends while nobody looks.
            Thread.currentThread().interrupt();
        }
    }
}
