package io.dualstackd.pods.io;

import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxReport;
import io.dualstackd.pods.cri.io.EventStream;
import io.dualstackd.pods.cri.io.RuntimeClient;
import io.dualstackd.supervision.Backoff;
import io.dualstackd.supervision.io.Supervisor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A container runtime behind its socket, with one event stream that is reopened when it has ended. A stream that ends soon after it was
 * opened (a runtime whose events are switched off may answer so) is reopened with growing delays, and its end causes no wakeup.
 */
public final class CriPods implements PodRuntime {
    private static final long LIVED = TimeUnit.SECONDS.toNanos(10);
    private static final Backoff AGAIN = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(2));

    private final RuntimeClient client;
    private final LongSupplier nanos;
    private final AtomicReference<EventFlow> flow = new AtomicReference<>(EventFlow.BROKEN);
    private volatile Runnable onEvent = () -> {};
    /** Number of consecutive streams that ended soon. */
    private volatile int shortLived;

    private volatile long listenFrom;
    private @Nullable EventStream stream;

    /** Whether the end of the last stream has been dealt with, or there was none: only then another one is opened. */
    private volatile boolean over = true;

    /** @param nanos the time, as {@link System#nanoTime} */
    CriPods(RuntimeClient client, LongSupplier nanos) {
        this.client = client;
        this.nanos = nanos;
        this.listenFrom = nanos.getAsLong();
    }

    /** Sends no request yet. */
    public static CriPods at(RuntimeEndpoint endpoint, Supervisor supervisor) {
        return new CriPods(RuntimeClient.open(endpoint, RuntimeTimeouts.USUAL, supervisor), System::nanoTime);
    }

    @Override
    public String endpoint() {
        return client.endpoint().toString();
    }

    /** Also opens the event stream when there is none: the runtime answers, so now is a good time. */
    @Override
    public RuntimeResult<List<Sandbox>> sandboxes() {
        RuntimeResult<List<Sandbox>> runtimeResult = client.sandboxes();
        if (runtimeResult instanceof RuntimeResult.Ok<?>) {
            listenAgain();
        }
        return runtimeResult;
    }

    @Override
    public RuntimeResult<List<Container>> containers() {
        return client.containers();
    }

    @Override
    public RuntimeResult<SandboxReport> sandbox(String sandboxId) {
        return client.sandbox(sandboxId);
    }

    @Override
    public RuntimeResult<RuntimeVersion> version() {
        return client.version();
    }

    @Override
    public RuntimeResult<RuntimeConditions> conditions() {
        return client.conditions();
    }

    @Override
    public RuntimeResult<PodCidrs> announce(PodCidrs cidrs) {
        return client.tellPodCidrs(cidrs.cidrs()).map(PodCidrs::new);
    }

    @Override
    public void listen(Runnable listener) {
        onEvent = listener;
    }

    /** The client remembers which calls the runtime behind this connection does not know, so a repeated call costs nothing. */
    private void listenAgain() {
        long now = nanos.getAsLong();
        if (!over || now < listenFrom) {
            return;
        }
        over = false;
        flow.set(EventFlow.FLOWING);
        try {
            stream = client.events(listener(now));
        } catch (RuntimeException e) {
            flow.set(EventFlow.BROKEN);
            over = true;
            throw e;
        }
    }

    /** @param now when the stream is opened */
    private EventStream.Listener listener(long now) {
        return new EventStream.Listener() {
            @Override
            public void event(ContainerEventResponse event) {
                onEvent.run();
            }

            @Override
            public void ended(RuntimeResult.Failure<ContainerEventResponse> why) {
                boolean lasted = nanos.getAsLong() - now >= LIVED;
                boolean unknown = why instanceof RuntimeResult.Unimplemented<?>;
                if (lasted) {
                    shortLived = 0;
                } else if (!unknown) {
                    int times = shortLived + 1;
                    shortLived = times;
                    listenFrom = nanos.getAsLong() + AGAIN.after(times).toNanos();
                }
                flow.set(unknown ? EventFlow.NOT_OFFERED : EventFlow.BROKEN);
                over = true;
                // Whoever hears of it may open the next one.
                if (lasted) {
                    onEvent.run();
                }
            }
        };
    }

    @Override
    public EventFlow events() {
        return flow.get();
    }

    @Override
    public long connections() {
        return client.connections();
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.close();
        }
        client.close();
    }
}
