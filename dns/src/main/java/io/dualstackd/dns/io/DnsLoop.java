package io.dualstackd.dns.io;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread {@code dns}, which serves every socket of the server. */
final class DnsLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dns");

    private static final String THREAD = "dns";

    /** A larger message would be fragmented. */
    private static final int RECEIVE_BYTES = 4_096;

    /** Packets that are read before answers are sent. */
    private static final int PACKETS_AT_ONCE = 64;

    /** Requested size of the kernel's receive buffer; the kernel may use less. */
    private static final int KERNEL_BYTES = 1 << 20;

    private static final int BACKLOG = 128;

    private static final int END_SECONDS = 5;

    /** Pending answers to a client that does not read: a few of the longest. */
    private static final WriteBufferWaterMark UNREAD_BYTES = new WriteBufferWaterMark(64 << 10, 256 << 10);

    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final boolean epoll;
    /** Every channel of this thread; channels added after its end are closed. */
    private final ChannelGroup channels;

    private final DnsSupervision supervision;

    private DnsLoop(boolean epoll, IoHandlerFactory io, DnsSupervision supervision) {
        this.epoll = epoll;
        this.supervision = supervision;
        this.group = new MultiThreadIoEventLoopGroup(
                1, Thread.ofPlatform().name(THREAD).daemon().factory(), io);
        this.loop = group.next();
        this.channels = new DefaultChannelGroup(loop, true);
        long every = supervision.every().toNanos();
        var _ = loop.scheduleWithFixedDelay(guarded(supervision::beat), 0, every, TimeUnit.NANOSECONDS);
    }

    /**
     * @throws IOException when the system cannot create an event loop, for example without file descriptors; the message gives the reason
     */
    static DnsLoop open(DnsSupervision supervision) throws IOException {
        try {
            return Epoll.isAvailable()
                    ? new DnsLoop(true, EpollIoHandler.newFactory(), supervision)
                    : new DnsLoop(false, NioIoHandler.newFactory(), supervision);
        } catch (IllegalStateException | ChannelException e) {
            throw new IOException("no event loop for DNS: " + e.getMessage(), e);
        }
    }

    boolean isOnThread() {
        return loop.inEventLoop();
    }

    /** Runs the task on the thread; not at all when the thread has ended. */
    void execute(Runnable what) {
        try {
            loop.execute(guarded(what));
        } catch (RejectedExecutionException e) {
            LOG.debug("the thread {} has ended", THREAD);
        }
    }

    Future<?> schedule(Runnable what, Duration after) {
        return loop.schedule(guarded(what), after.toNanos(), TimeUnit.NANOSECONDS);
    }

    private Runnable guarded(Runnable what) {
        return () -> {
            try {
                what.run();
            } catch (RuntimeException e) {
                LOG.error("error on the thread {}", THREAD, e);
            } catch (Error e) {
                supervision.failed(e);
            }
        };
    }

    /** Netty passes every exception of a handler to the handler. */
    void thrown(Throwable thrown) {
        if (thrown instanceof Error error) {
            supervision.failed(error);
        }
    }

    private static SocketProtocolFamily family(InetAddress address) {
        return address instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6;
    }

    /** Returns a bootstrap for a UDP socket of the family of {@code address}. */
    Bootstrap udp(InetAddress address, boolean early) {
        SocketProtocolFamily family = family(address);
        Bootstrap bootstrap = new Bootstrap()
                .group(group)
                .channelFactory(() -> epoll ? new EpollDatagramChannel(family) : new NioDatagramChannel(family))
                .resolver(NoopAddressResolverGroup.INSTANCE)
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                // One packet per read, its default: a handler may close this socket. Netty would go on reading from the
                // number of the file descriptor, which may be that of another thread's socket by then.
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES));
        if (early && epoll) {
            bootstrap.option(EpollChannelOption.IP_FREEBIND, true);
        }
        return bootstrap;
    }

    /** As {@link #udp}, for a socket that receives many packets, and that no handler of a packet closes. */
    Bootstrap udpServer(InetAddress address, boolean early) {
        return udp(address, early)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(RECEIVE_BYTES).maxMessagesPerRead(PACKETS_AT_ONCE))
                .option(ChannelOption.SO_RCVBUF, KERNEL_BYTES)
                .option(ChannelOption.SO_SNDBUF, KERNEL_BYTES);
    }

    ServerBootstrap tcpServer(InetAddress address, boolean early) {
        SocketProtocolFamily family = family(address);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channelFactory(() -> epoll ? new EpollServerSocketChannel(family) : new NioServerSocketChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD_BYTES)
                .childOption(ChannelOption.TCP_NODELAY, true);
        if (early && epoll) {
            bootstrap.option(EpollChannelOption.IP_FREEBIND, true);
        }
        return bootstrap;
    }

    Bootstrap tcp(Duration timeout) {
        return new Bootstrap()
                .group(group)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .resolver(NoopAddressResolverGroup.INSTANCE)
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout.toMillis())
                .option(ChannelOption.TCP_NODELAY, true);
    }

    /** Registers a channel to be closed at the end, unless it is closed before. */
    void own(Channel channel) {
        // A channel that could not be created, for lack of file descriptors, never closes.
        if (channel.isOpen()) {
            channels.add(channel);
        }
    }

    /** Closes all channels, and ends the thread. */
    @Override
    public void close() {
        channels.close().awaitUninterruptibly(END_SECONDS, TimeUnit.SECONDS);
        group.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(2L * END_SECONDS, TimeUnit.SECONDS);
    }
}
