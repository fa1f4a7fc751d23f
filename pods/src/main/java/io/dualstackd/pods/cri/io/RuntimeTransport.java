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
 * The one thread that serves every connection to the runtime, and the transport: epoll, or the JDK's own Unix sockets where Netty's native
 * library cannot be loaded (it is unpacked into the temporary directory, which may be mounted noexec).
 */
final class RuntimeTransport implements AutoCloseable {
    /** The same limit as in kubelet; a list of 10,000 sandboxes has about 10 MB. */
    static final int LARGEST_MESSAGE = 16 << 20;

    private static final int WINDOW = 1 << 20;

    private static final String THREAD = "cri";

    /** Loggers that are silenced: each connection error is reported to the caller, and these libraries log it again for each attempt. */
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

    /** Returns a channel that connects when first used. Everything but waiting callers runs on the one thread. */
    ManagedChannel channel(RuntimeEndpoint endpoint) {
        return NettyChannelBuilder.forAddress(address(endpoint))
                .channelType(type(), address(endpoint).getClass())
                .eventLoopGroup(loop)
                .usePlaintext()
                .overrideAuthority("localhost")
                .directExecutor()
                .offloadExecutor(Runnable::run)
                .withOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                // gRPC sets this option on every socket, and Netty warns each time that Unix sockets do not support it.
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
