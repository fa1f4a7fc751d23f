package io.dualstackd.pods.cri.io;

import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.LibraryErrors;
import io.dualstackd.supervision.io.Supervisor;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One thread that serves every connection to the runtime, and how a connection is made: by epoll, or by the JDK's own Unix sockets
 * where Netty's native library cannot be loaded (it is unpacked into the temporary directory, which may be mounted noexec).
 */
final class RuntimeTransport implements AutoCloseable {
    /** What kubelet accepts, too; a list of 10,000 sandboxes has about 10 MB. */
    static final int LARGEST_MESSAGE = 16 << 20;

    private static final int WINDOW = 1 << 20;

    private static final String THREAD = "cri";

    /** Each fault of a connection is told to whoever asked; what these libraries log beside is the same again, and for each attempt. */
    private static final List<String> QUIET = List.of("io.grpc", "io.netty");

    private final EventLoopGroup loop;
    private final Supervisor.Row alive;
    private final boolean epoll;

    private RuntimeTransport(boolean epoll, IoHandlerFactory io, Supervisor supervisor) {
        this.epoll = epoll;
        this.loop = new MultiThreadIoEventLoopGroup(
                1, Thread.ofPlatform().name(THREAD).daemon().factory(), io);
        this.alive = supervisor.heartbeat(Component.CRI);
        alive.beatOn(loop);
    }

    static RuntimeTransport open(Supervisor supervisor) {
        QUIET.forEach(LibraryErrors::listen);
        return Epoll.isAvailable()
                ? new RuntimeTransport(true, EpollIoHandler.newFactory(), supervisor)
                : new RuntimeTransport(false, NioIoHandler.newFactory(), supervisor);
    }

    /** Connects when first used. Everything but waiting callers happens on the one thread. */
    ManagedChannel channel(RuntimeEndpoint endpoint) {
        return NettyChannelBuilder.forAddress(address(endpoint))
                .channelType(type(), address(endpoint).getClass())
                .eventLoopGroup(loop)
                .usePlaintext()
                .overrideAuthority("localhost")
                .directExecutor()
                .offloadExecutor(Runnable::run)
                .withOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                // gRPC asks for this on every socket and Netty warns each time that Unix sockets have no such thing.
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .maxInboundMessageSize(LARGEST_MESSAGE)
                // A fixed window: to find the best one, gRPC would send a ping with each answer.
                .flowControlWindow(WINDOW)
                .disableRetry()
                .disableServiceConfigLookUp()
                .maxTraceEvents(0)
                .build();
    }

    private Class<? extends Channel> type() {
        return epoll ? EpollDomainSocketChannel.class : NioDomainSocketChannel.class;
    }

    private SocketAddress address(RuntimeEndpoint endpoint) {
        return epoll ? new DomainSocketAddress(endpoint.path()) : UnixDomainSocketAddress.of(endpoint.path());
    }

    /** Ends the thread. Channels must have been shut down before. */
    @Override
    public void close() {
        alive.close();
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }
}
