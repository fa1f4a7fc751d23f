package io.dualstackd.pods.cri.io;

import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.cri.v1.GetEventsRequest;
import io.dualstackd.pods.cri.ContainerEvent;
import io.dualstackd.pods.cri.CriMessages;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.supervision.io.LibraryErrors;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One subscription to the runtime's events, until it ends once or is closed. */
public final class EventStream implements AutoCloseable {

    /** Who is told. Both are called on the thread {@code cri}, and must return at once. */
    public interface Listener {
        /** Something happened. */
        void event(ContainerEvent event);

        /** No more events come, because of this; a runtime that ends the stream is unreachable. Not called after a close. */
        void ended(RuntimeResult.Failure<ContainerEvent> why);
    }

    private final Listener listener;
    private final Function<Throwable, RuntimeResult.Failure<ContainerEvent>> faults;
    private final String endedByRuntime;
    private @Nullable ClientCallStreamObserver<GetEventsRequest> call;
    private boolean over;

    EventStream(
            Listener listener,
            Function<Throwable, RuntimeResult.Failure<ContainerEvent>> faults,
            String endedByRuntime) {
        this.listener = listener;
        this.faults = faults;
        this.endedByRuntime = endedByRuntime;
    }

    /** One that never was. */
    static EventStream refused(Listener listener, RuntimeResult.Failure<ContainerEvent> why) {
        EventStream stream = new EventStream(listener, error -> why, "");
        stream.end();
        listener.ended(why);
        return stream;
    }

    /** Events may still come. */
    public synchronized boolean isOpen() {
        return !over;
    }

    /** Hangs up; nobody is told. */
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
                    listener.event(CriMessages.event(message));
                }
            }

            @Override
            public void onError(Throwable error) {
                LibraryErrors.check(error);
                // Read before asking whether anybody is told: it also keeps the connection's books.
                RuntimeResult.Failure<ContainerEvent> why = faults.apply(error);
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
