package io.dualstackd.bench.daemon;

import io.dualstackd.cri.v1.Container;
import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.cri.v1.ContainerMetadata;
import io.dualstackd.cri.v1.ContainerState;
import io.dualstackd.cri.v1.GetEventsRequest;
import io.dualstackd.cri.v1.ListContainersRequest;
import io.dualstackd.cri.v1.ListContainersResponse;
import io.dualstackd.cri.v1.ListPodSandboxRequest;
import io.dualstackd.cri.v1.ListPodSandboxResponse;
import io.dualstackd.cri.v1.PodIP;
import io.dualstackd.cri.v1.PodSandbox;
import io.dualstackd.cri.v1.PodSandboxMetadata;
import io.dualstackd.cri.v1.PodSandboxNetworkStatus;
import io.dualstackd.cri.v1.PodSandboxStatus;
import io.dualstackd.cri.v1.PodSandboxStatusRequest;
import io.dualstackd.cri.v1.PodSandboxStatusResponse;
import io.dualstackd.cri.v1.RuntimeServiceGrpc;
import io.dualstackd.cri.v1.StatusRequest;
import io.dualstackd.cri.v1.StatusResponse;
import io.dualstackd.cri.v1.VersionRequest;
import io.dualstackd.cri.v1.VersionResponse;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A simulated container runtime whose pods do not change; its lists are as large as containerd's for pods started by a kubelet. */
final class SimulatedRuntime extends RuntimeServiceGrpc.RuntimeServiceImplBase implements AutoCloseable {
    private static final long CREATED = 1_700_000_000_000_000_000L;

    private final ListPodSandboxResponse sandboxes;
    private final ListContainersResponse containers;
    private final Map<String, PodSandboxStatusResponse> statuses = new HashMap<>();
    private final boolean events;
    private final AtomicInteger lists = new AtomicInteger();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final Server server;

    /** @param events whether it offers a stream of events, which stays silent; otherwise the call is not implemented */
    SimulatedRuntime(Path socket, int pods, boolean events) throws IOException {
        this.events = events;
        ListPodSandboxResponse.Builder allSandboxes = ListPodSandboxResponse.newBuilder();
        ListContainersResponse.Builder allContainers = ListContainersResponse.newBuilder();
        for (int i = 0; i < pods; i++) {
            PodSandbox sandbox = sandbox(i);
            allSandboxes.addItems(sandbox);
            allContainers.addContainers(container(sandbox, i, "main")).addContainers(container(sandbox, i, "sidecar"));
            statuses.put(sandbox.getId(), status(sandbox, i));
        }
        sandboxes = allSandboxes.build();
        containers = allContainers.build();
        server = NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .addService(this)
                .build()
                .start();
    }

    private static String id(String kind, int number) {
        return "%064x".formatted((long) (kind + number).hashCode() & 0xffffffffL);
    }

    private static PodSandbox sandbox(int i) {
        String uid = "5f0c6e1e-0b7a-4a3c-9d7c-%012d".formatted(i);
        String name = "deployment-%d-7d9f8b6c5d-x%03dz".formatted(i % 20, i);
        return PodSandbox.newBuilder()
                .setId(id("sandbox", i))
                .setMetadata(PodSandboxMetadata.newBuilder()
                        .setName(name)
                        .setNamespace("team")
                        .setUid(uid))
                .setCreatedAt(CREATED + i)
                .putLabels("app.kubernetes.io/name", "deployment-" + i % 20)
                .putLabels("app.kubernetes.io/version", "1.2.3")
                .putLabels("pod-template-hash", "7d9f8b6c5d")
                .putLabels("io.kubernetes.pod.name", name)
                .putLabels("io.kubernetes.pod.namespace", "team")
                .putLabels("io.kubernetes.pod.uid", uid)
                .putAnnotations("kubernetes.io/config.seen", "2026-11-21T08:00:00.000000000Z")
                .putAnnotations("kubernetes.io/config.source", "api")
                .putAnnotations("prometheus.io/scrape", "true")
                .build();
    }

    private static Container container(PodSandbox sandbox, int i, String name) {
        return Container.newBuilder()
                .setId(id(name, i))
                .setPodSandboxId(sandbox.getId())
                .setMetadata(ContainerMetadata.newBuilder().setName(name))
                .setState(ContainerState.CONTAINER_RUNNING)
                .setCreatedAt(CREATED + i)
                .putLabels("io.kubernetes.container.name", name)
                .putLabels("io.kubernetes.pod.name", sandbox.getMetadata().getName())
                .putLabels("io.kubernetes.pod.namespace", "team")
                .putLabels("io.kubernetes.pod.uid", sandbox.getMetadata().getUid())
                .putAnnotations("io.kubernetes.container.hash", "a1b2c3d4")
                .putAnnotations(
                        "io.kubernetes.container.ports",
                        "[{\"name\":\"http\",\"containerPort\":8080,\"protocol\":\"TCP\"}]")
                .putAnnotations("io.kubernetes.container.restartCount", "0")
                .putAnnotations("io.kubernetes.container.terminationMessagePath", "/dev/termination-log")
                .putAnnotations("io.kubernetes.container.terminationMessagePolicy", "File")
                .putAnnotations("io.kubernetes.pod.terminationGracePeriod", "30")
                .build();
    }

    private static PodSandboxStatusResponse status(PodSandbox sandbox, int i) {
        return PodSandboxStatusResponse.newBuilder()
                .setStatus(PodSandboxStatus.newBuilder()
                        .setId(sandbox.getId())
                        .setMetadata(sandbox.getMetadata())
                        .setCreatedAt(sandbox.getCreatedAt())
                        .setNetwork(PodSandboxNetworkStatus.newBuilder()
                                .setIp("10.244.%d.%d".formatted(i / 250, i % 250 + 1))
                                .addAdditionalIps(PodIP.newBuilder().setIp("fd00:244::%x".formatted(i + 1)))))
                .build();
    }

    /** How often its sandboxes were requested. */
    int lists() {
        return lists.get();
    }

    private static <T> void say(StreamObserver<T> to, T answer) {
        to.onNext(answer);
        to.onCompleted();
    }

    @Override
    public void version(VersionRequest request, StreamObserver<VersionResponse> to) {
        say(
                to,
                VersionResponse.newBuilder()
                        .setRuntimeName("played")
                        .setRuntimeApiVersion("v1")
                        .build());
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
        say(to, StatusResponse.getDefaultInstance());
    }

    @Override
    public void listPodSandbox(ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> to) {
        lists.incrementAndGet();
        say(to, sandboxes);
    }

    @Override
    public void listContainers(ListContainersRequest request, StreamObserver<ListContainersResponse> to) {
        say(to, containers);
    }

    @Override
    public void podSandboxStatus(PodSandboxStatusRequest request, StreamObserver<PodSandboxStatusResponse> to) {
        PodSandboxStatusResponse status = statuses.get(request.getPodSandboxId());
        if (status == null) {
            to.onError(Status.NOT_FOUND.asRuntimeException());
        } else {
            say(to, status);
        }
    }

    @Override
    public void getContainerEvents(GetEventsRequest request, StreamObserver<ContainerEventResponse> to) {
        if (!events) {
            to.onError(Status.UNIMPLEMENTED.asRuntimeException());
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        var ignored = loop.shutdownGracefully();
    }
}
