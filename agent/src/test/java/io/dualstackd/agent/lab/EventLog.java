package io.dualstackd.agent.lab;

import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.cri.v1.ContainerEventType;
import io.dualstackd.cri.v1.GetEventsRequest;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A subscription to events of containers, and the events received so far. */
public final class EventLog implements StreamObserver<ContainerEventResponse>, AutoCloseable {
    /** One of them, without what differs between runs. */
    public record Received(String container, ContainerEventType type) {}

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private final Context.CancellableContext context = Context.current().withCancellation();

    /** Subscribes; the runtime may take a moment to know. */
    public static EventLog of(RuntimeClient client) {
        EventLog log = new EventLog();
        log.context.run(() -> client.streams().getContainerEvents(GetEventsRequest.getDefaultInstance(), log));
        return log;
    }

    public List<Received> received() {
        return List.copyOf(received);
    }

    public boolean hasReceived(String container, ContainerEventType type) {
        return received.contains(new Received(container, type));
    }

    /** How the runtime ended it. */
    public Status end() {
        return end.join();
    }

    @Override
    public void onNext(ContainerEventResponse event) {
        received.add(new Received(event.getContainerId(), event.getContainerEventType()));
    }

    @Override
    public void onError(Throwable failure) {
        end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end.complete(Status.OK);
    }

    @Override
    public void close() {
        context.cancel(null);
    }
}
