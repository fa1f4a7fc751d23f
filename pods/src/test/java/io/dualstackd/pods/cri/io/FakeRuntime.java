package io.dualstackd.pods.cri.io;

import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.cri.v1.GetEventsRequest;
import io.dualstackd.cri.v1.RuntimeServiceGrpc;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A runtime that answers as the test specifies, on a real socket: gRPC's own server, so that the client is not measured by itself. Calls
 * without an answer are unimplemented.
 */
public final class FakeRuntime implements AutoCloseable {
    /** An answer that never comes. */
    public static final Object SILENCE = new Object();

    private final Map<String, Function<Object, Object>> answers = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<ServerCallStreamObserver<ContainerEventResponse>> streams = new CopyOnWriteArrayList<>();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, Thread.ofPlatform().daemon().name("fake-runtime").factory(), NioIoHandler.newFactory());
    private final Path socket;
    private final Server server;

    private FakeRuntime(Path socket) throws IOException {
        this.socket = socket;
        Files.deleteIfExists(socket);
        BindableService events = new RuntimeServiceGrpc.RuntimeServiceImplBase() {
            @Override
            public void getContainerEvents(GetEventsRequest request, StreamObserver<ContainerEventResponse> stream) {
                var observer = (ServerCallStreamObserver<ContainerEventResponse>) stream;
                observer.setOnCancelHandler(() -> streams.remove(observer));
                streams.add(observer);
            }
        };
        server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .directExecutor()
                .addService(ServerInterceptors.intercept(events, new Scripted()))
                .build()
                .start();
    }

    public static FakeRuntime listening(Path socket) throws IOException {
        return new FakeRuntime(socket);
    }

    /** Answers a call by its bare name: a message, a {@link Status}, or {@link #SILENCE}. */
    public FakeRuntime answers(String call, Function<Object, Object> answer) {
        answers.put(call, answer);
        return this;
    }

    /** Knows the call for events. */
    public FakeRuntime sendsEvents() {
        answers.put("GetContainerEvents", request -> request);
        return this;
    }

    /** Bare names of calls that arrived, in order. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    /** How many listen for events now. */
    public int listeners() {
        return streams.size();
    }

    public void send(ContainerEventResponse event) {
        streams.forEach(s -> s.onNext(event));
    }

    public void endStreams() {
        streams.forEach(StreamObserver::onCompleted);
        streams.clear();
    }

    /** Every connection breaks off, and the socket is removed. */
    @Override
    public void close() throws IOException, InterruptedException {
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        Files.deleteIfExists(socket);
    }

    /** Looks every call up in the script before the service sees it. */
    private final class Scripted implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            MethodDescriptor<Q, A> method = call.getMethodDescriptor();
            String name = String.valueOf(method.getBareMethodName());
            calls.add(name);
            Function<Object, Object> answer = answers.get(name);
            if (answer == null) {
                call.close(Status.UNIMPLEMENTED.withDescription("unknown method " + name), new Metadata());
                return new ServerCall.Listener<>() {};
            }
            if (method.getType() == MethodDescriptor.MethodType.SERVER_STREAMING) {
                return next.startCall(call, headers);
            }
            call.request(2);
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(Q request) {
                    reply(call, answer.apply(request));
                }
            };
        }

        @SuppressWarnings("unchecked") // the test's script holds messages of the type of the call it names
        private static <Q, A> void reply(ServerCall<Q, A> call, Object answer) {
            if (answer instanceof Status status) {
                call.close(status, new Metadata());
            } else if (!answer.equals(SILENCE)) {
                call.sendHeaders(new Metadata());
                call.sendMessage((A) answer);
                call.close(Status.OK, new Metadata());
            }
        }
    }
}
