package io.dualstackd.pods.cri.io;

import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.cri.v1.GetEventsRequest;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.supervision.io.LibraryErrors;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One subscription to the runtime's events, until it ends or is closed. */
public final class EventStream implements AutoCloseable {

    /** Receives events. Both methods are called on the thread {@code cri}, and must return at once. */
    public interface Listener {
        /** Called for each event. Only a hint that something has changed: runtimes lose events. */
        void event(ContainerEventResponse event);

        /** Called when no more events follow, with the reason; a runtime that ends the stream is unreachable. Not called after a close. */
        void ended(RuntimeResult.Failure<ContainerEventResponse> why);
    }

    private final Listener listener;
    private final Function<Throwable, RuntimeResult.Failure<ContainerEventResponse>> faults;
    private final String endedByRuntime;
    private @Nullable ClientCallStreamObserver<GetEventsRequest> call;
    private boolean over;

    EventStream(
            Listener listener,
            Function<Throwable, RuntimeResult.Failure<ContainerEventResponse>> faults,
            String endedByRuntime) {
        this.listener = listener;
        this.faults = faults;
        this.endedByRuntime = endedByRuntime;
    }

    /** Returns a stream that was never open. */
    static EventStream refused(Listener listener, RuntimeResult.Failure<ContainerEventResponse> why) {
        EventStream stream = new EventStream(listener, error -> why, "");
        stream.end();
        listener.ended(why);
        return stream;
    }

    /** Whether events may still be received. */
    public synchronized boolean isOpen() {
        return !over;
    }

    /** Ends the subscription without a call of the listener. */
    @Override
    public void close() {
        ClientCallStreamObserver<GetEventsRequest> hangUp;
        synchronized (this) {
            over = true;
            hangUp = call;
        }
        if (hangUp != null) {
            hangUp.cancel("not listening any more", null);
        }
    }

    private synchronized boolean end() {
        boolean first = !over;
        over = true;
        return first;
    }

    private synchronized void started(ClientCallStreamObserver<GetEventsRequest> started) {
        call = started;
    }

    ClientResponseObserver<GetEventsRequest, ContainerEventResponse> observer() {
        return new ClientResponseObserver<>() {
            @Override
            public void beforeStart(ClientCallStreamObserver<GetEventsRequest> stream) {
                started(stream);
            }

            @Override
            public void onNext(ContainerEventResponse message) {
                if (isOpen()) {
                    listener.event(message);
                }
            }

            @Override
            public void onError(Throwable error) {
                LibraryErrors.check(error);
                // Classified even when there is no listener any more: this also updates the state of the connection.
                RuntimeResult.Failure<ContainerEventResponse> why = faults.apply(error);
                if (end()) {
                    listener.ended(why);
                }
            }

            @Override
            public void onCompleted() {
                if (end()) {
                    listener.ended(new RuntimeResult.Unreachable<>(endedByRuntime));
                }
            }
        };
    }
}
