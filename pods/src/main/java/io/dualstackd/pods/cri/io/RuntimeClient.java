package io.dualstackd.pods.cri.io;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.MessageLite;
import io.dualstackd.cri.v1.GetEventsRequest;
import io.dualstackd.cri.v1.ListContainersRequest;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxRequest;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.NetworkConfig;
import io.dualstackd.cri.v1.PodSandboxStatusRequest;
import io.dualstackd.cri.v1.RuntimeConfig;
import io.dualstackd.cri.v1.RuntimeServiceGrpc;
import io.dualstackd.cri.v1.StatusRequest;
import io.dualstackd.cri.v1.UpdateRuntimeConfigRequest;
import io.dualstackd.cri.v1.VersionRequest;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.CriMessages;
import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxReport;
import io.dualstackd.supervision.io.LibraryErrors;
import io.dualstackd.supervision.io.Supervisor;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A client of this node's container runtime, over its socket. Requests block the caller until there is an answer or the timeout passes;
 * they may be made from any thread. No request is sent and no connection made before the first call. Source: the Container Runtime
 * Interface, {@code runtime.v1}.
 */
public final class RuntimeClient implements AutoCloseable {
    /** The version of the version call itself, unchanged so far. */
    private static final String VERSION_OF_VERSION = "0.1.0";

    private final RuntimeEndpoint endpoint;
    private final RuntimeTimeouts runtimeTimeouts;
    private final RuntimeTransport runtimeTransport;
    private final RuntimeConnections runtimeConnections;
    private final RuntimeErrors runtimeErrors;
    private final MethodDescriptor<ListPodSandboxRequest, List<Sandbox>> listSandboxes = reading(
            RuntimeServiceGrpc.getListPodSandboxMethod(),
            message -> CriMessages.sandboxes(ListPodSandboxResponse.parseFrom(message)));
    private final MethodDescriptor<ListContainersRequest, List<Container>> listContainers = reading(
            RuntimeServiceGrpc.getListContainersMethod(),
            message -> CriMessages.containers(ListContainersResponse.parseFrom(message)));

    private RuntimeClient(
            RuntimeEndpoint endpoint, RuntimeTimeouts runtimeTimeouts, RuntimeTransport runtimeTransport) {
        this.endpoint = endpoint;
        this.runtimeTimeouts = runtimeTimeouts;
        this.runtimeTransport = runtimeTransport;
        this.runtimeConnections = new RuntimeConnections(endpoint, runtimeTimeouts, runtimeTransport);
        this.runtimeErrors = new RuntimeErrors(endpoint, runtimeTimeouts);
    }

    /** Starts the thread {@code cri}; the runtime need not run yet. */
    public static RuntimeClient open(RuntimeEndpoint endpoint, RuntimeTimeouts runtimeTimeouts) {
        return open(endpoint, runtimeTimeouts, Supervisor.none());
    }

    /** As {@link #open(RuntimeEndpoint, RuntimeTimeouts)}; the thread is watched by {@code supervisor}. */
    public static RuntimeClient open(RuntimeEndpoint endpoint, RuntimeTimeouts runtimeTimeouts, Supervisor supervisor) {
        return new RuntimeClient(endpoint, runtimeTimeouts, RuntimeTransport.open(supervisor));
    }

    public RuntimeEndpoint endpoint() {
        return endpoint;
    }

    /** The number of connections made so far: after a reconnect, a different runtime may answer. */
    public long connections() {
        return runtimeConnections.opened();
    }

    /** Returns the name and version of the runtime. */
    public RuntimeResult<RuntimeVersion> version() {
        VersionRequest request =
                VersionRequest.newBuilder().setVersion(VERSION_OF_VERSION).build();
        return call(RuntimeServiceGrpc.getVersionMethod(), request, CriMessages::version);
    }

    /** Whether the runtime and its network plugin are ready. */
    public RuntimeResult<RuntimeConditions> conditions() {
        return call(RuntimeServiceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), CriMessages::conditions);
    }

    /** Returns every sandbox, ready or not. The same list object as long as nothing in it has changed. */
    public RuntimeResult<List<Sandbox>> sandboxes() {
        return call(listSandboxes, ListPodSandboxRequest.getDefaultInstance(), Function.identity());
    }

    /** Returns the status of one sandbox; {@link RuntimeResult.NotFound} when there is none of that id. */
    public RuntimeResult<SandboxReport> sandbox(String id) {
        // Verbose, because only verbose answers contain the process id; used for changed sandboxes only, so the size
        // does not matter.
        PodSandboxStatusRequest request = PodSandboxStatusRequest.newBuilder()
                .setPodSandboxId(id)
                .setVerbose(true)
                .build();
        var method = RuntimeServiceGrpc.getPodSandboxStatusMethod();
        RuntimeResult<SandboxReport> result = call(method, request, CriMessages::report);
        // It must not count as the end of the sandbox, for which there is an error of its own.
        return result instanceof RuntimeResult.Ok<SandboxReport>(SandboxReport report)
                        && report.status().isEmpty()
                ? new RuntimeResult.Broken<>(endpoint + " answered " + name(method) + " without a status")
                : result;
    }

    /** Returns every container, running or not. The same list object as long as nothing in it has changed. */
    public RuntimeResult<List<Container>> containers() {
        return call(listContainers, ListContainersRequest.getDefaultInstance(), Function.identity());
    }

    /**
     * Passes the node's pod CIDRs to the runtime.
     *
     * @param cidrs one, or one per family
     * @return the networks that were passed
     */
    public RuntimeResult<List<IpPrefix>> tellPodCidrs(List<IpPrefix> cidrs) {
        String text = cidrs.stream().map(IpPrefix::toString).collect(Collectors.joining(","));
        UpdateRuntimeConfigRequest request = UpdateRuntimeConfigRequest.newBuilder()
                .setRuntimeConfig(RuntimeConfig.newBuilder()
                        .setNetworkConfig(NetworkConfig.newBuilder().setPodCidr(text)))
                .build();
        return call(RuntimeServiceGrpc.getUpdateRuntimeConfigMethod(), request, ignored -> List.copyOf(cidrs));
    }

    /**
     * Subscribes to events, without a deadline. Returns at once; that the runtime offers no events or cannot be reached is reported to the
     * listener, on this thread or on {@code cri}. One stream per runtime: some distribute their events among streams.
     */
    public EventStream events(EventStream.Listener listener) {
        var method = RuntimeServiceGrpc.getGetContainerEventsMethod();
        String call = name(method);
        return switch (runtimeConnections.take()) {
            case RuntimeResult.Failure<RuntimeConnection> failure -> EventStream.refused(listener, failure.of());
            case RuntimeResult.Ok<RuntimeConnection>(RuntimeConnection runtimeConnection) -> {
                if (!runtimeConnection.knows(call)) {
                    yield EventStream.refused(listener, new RuntimeResult.Unimplemented<>());
                }
                EventStream stream = new EventStream(
                        listener,
                        error -> failure(runtimeConnection, call, Status.fromThrowable(error)),
                        endpoint + " ended the stream of events");
                ClientCalls.asyncServerStreamingCall(
                        runtimeConnection.channel().newCall(method, CallOptions.DEFAULT),
                        GetEventsRequest.getDefaultInstance(),
                        stream.observer());
                yield stream;
            }
        };
    }

    private static <Q, T> MethodDescriptor<Q, List<T>> reading(
            MethodDescriptor<Q, ?> method, ListCache.Reader<T> reader) {
        return method.toBuilder(method.getRequestMarshaller(), new ListCache<>(reader))
                .build();
    }

    private <Q extends MessageLite, A, T> RuntimeResult<T> call(
            MethodDescriptor<Q, A> method, Q request, Function<A, T> read) {
        return switch (runtimeConnections.take()) {
            case RuntimeResult.Ok<RuntimeConnection>(RuntimeConnection runtimeConnection) ->
                askOn(runtimeConnection, method, request, read);
            case RuntimeResult.Failure<RuntimeConnection> failure -> failure.of();
        };
    }

    private <Q extends MessageLite, A, T> RuntimeResult<T> askOn(
            RuntimeConnection runtimeConnection, MethodDescriptor<Q, A> method, Q request, Function<A, T> read) {
        String call = name(method);
        if (!runtimeConnection.knows(call)) {
            return new RuntimeResult.Unimplemented<>();
        }
        CallOptions options =
                CallOptions.DEFAULT.withDeadlineAfter(runtimeTimeouts.call().toMillis(), TimeUnit.MILLISECONDS);
        // Not the blocking call: it wakes the caller, and the connection's thread, for each step of the answer.
        ListenableFuture<A> answer =
                ClientCalls.futureUnaryCall(runtimeConnection.channel().newCall(method, options), request);
        try {
            A response = answer.get();
            runtimeConnections.works(runtimeConnection);
            return new RuntimeResult.Ok<>(read.apply(response));
        } catch (ExecutionException e) {
            LibraryErrors.check(e);
            return failure(runtimeConnection, call, Status.fromThrowable(e));
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            return failure(runtimeConnection, call, Status.CANCELLED.withDescription("the caller was interrupted"));
        }
    }

    /** Classifies a failure and updates the state of the connection. */
    private <T> RuntimeResult.Failure<T> failure(RuntimeConnection runtimeConnection, String call, Status status) {
        RuntimeResult.Failure<T> failure = runtimeErrors.of(call, status);
        boolean neverStood = status.getCode() == Status.Code.DEADLINE_EXCEEDED && !runtimeConnection.isReady();
        if (neverStood || RuntimeErrors.ofConnection(status)) {
            runtimeConnections.failed(runtimeConnection, failure);
        } else {
            runtimeConnections.works(runtimeConnection);
        }
        if (status.getCode() == Status.Code.UNIMPLEMENTED) {
            runtimeConnection.doesNotKnow(call);
        }
        return failure;
    }

    private static String name(MethodDescriptor<?, ?> method) {
        return String.valueOf(method.getBareMethodName());
    }

    /** Closes the connection; pending and later requests are answered as unreachable. Ends the thread. */
    @Override
    public void close() {
        runtimeConnections.close();
        runtimeTransport.close();
    }
}
