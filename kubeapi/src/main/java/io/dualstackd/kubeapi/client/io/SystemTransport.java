package io.dualstackd.kubeapi.client.io;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** TCP connections through the system's event loop. */
final class SystemTransport implements ApiTransport {
    static final SystemTransport USUAL = new SystemTransport();

    private static final int RECEIVE_BYTES = 32 << 10;

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Seconds of silence, seconds between probes, probes, milliseconds without an acknowledgement: a dead peer is noticed within a minute. */
    private static final int KEEP_IDLE = 30;

    private static final int KEEP_INTERVAL = 10;
    private static final int KEEP_COUNT = 3;
    private static final int UNACKNOWLEDGED = 30_000;

    private SystemTransport() {}

    @Override
    public EventLoopGroup eventLoop(String thread) throws IOException {
        try {
            return new MultiThreadIoEventLoopGroup(
                    1,
                    Thread.ofPlatform().name(thread).daemon().factory(),
                    Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        } catch (IllegalStateException | ChannelException e) {
            throw new IOException("no event loop for connections to the API server: " + ConnectionErrors.words(e), e);
        }
    }

    @Override
    public void end(EventLoopGroup eventLoop) {
        eventLoop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    @Override
    public Bootstrap bootstrap() {
        boolean epoll = Epoll.isAvailable();
        Bootstrap bootstrap = new Bootstrap()
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT.toMillis())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true);
        if (epoll) {
            bootstrap
                    .option(EpollChannelOption.TCP_KEEPIDLE, KEEP_IDLE)
                    .option(EpollChannelOption.TCP_KEEPINTVL, KEEP_INTERVAL)
                    .option(EpollChannelOption.TCP_KEEPCNT, KEEP_COUNT)
                    .option(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED);
        }
        return bootstrap;
    }

    @Override
    public SocketAddress target(InetSocketAddress address) {
        return address;
    }

    @Override
    public ExecutorService blocking(String thread) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name(thread).daemon().factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
