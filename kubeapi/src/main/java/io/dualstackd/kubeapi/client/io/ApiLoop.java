package io.dualstackd.kubeapi.client.io;

import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.LibraryErrors;
import io.dualstackd.supervision.io.Supervisor;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code api}, which runs every connection to the API server, and the thread {@code api-access} for blocking work before a
 * connection is made: reading a token, looking up a name.
 */
final class ApiLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private static final String THREAD = "api";

    private static final int RECEIVE_BYTES = 32 << 10;

    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Seconds of silence, seconds between probes, probes, milliseconds without an acknowledgement: a dead peer is noticed within a minute. */
    private static final int KEEP_IDLE = 30;

    private static final int KEEP_INTERVAL = 10;
    private static final int KEEP_COUNT = 3;
    private static final int UNACKNOWLEDGED = 30_000;

    /** dualstackd logs errors of these libraries itself, once; the libraries would log them with each attempt. */
    private static final List<String> QUIET = List.of("io.netty");

    static {
        // Read when the first buffer is allocated. A handful of connections need neither arenas nor flight recorder
        // events, which together cost five megabytes.
        setUnlessSet("io.netty.allocator.type", "unpooled");
        setUnlessSet("io.netty.jfr.enabled", "false");
    }

    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final boolean epoll;
    private final ExecutorService access;
    private final Supervisor.Row alive;
    private final Supervisor.Row accessAlive;

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private ApiLoop(boolean epoll, IoHandlerFactory io, Supervisor supervisor) {
        this.epoll = epoll;
        this.group = new MultiThreadIoEventLoopGroup(
                1, Thread.ofPlatform().name(THREAD).daemon().factory(), io);
        this.loop = group.next();
        this.alive = supervisor.heartbeat(Component.API);
        alive.beatOn(loop);
        this.accessAlive = supervisor.heartbeat(Component.API_ACCESS);
        accessAlive.idle();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        1,
                        1,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name(THREAD + "-access").daemon().factory()) {
                    @Override
                    protected void beforeExecute(Thread thread, Runnable task) {
                        accessAlive.beat();
                    }

                    @Override
                    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
                        accessAlive.idle();
                    }
                };
        pool.allowCoreThreadTimeOut(true);
        this.access = pool;
    }

    /** @throws IOException if the system provides no event loop, as without file descriptors; the message gives the reason */
    static ApiLoop open(Supervisor supervisor) throws IOException {
        QUIET.forEach(LibraryErrors::listen);
        try {
            return Epoll.isAvailable()
                    ? new ApiLoop(true, EpollIoHandler.newFactory(), supervisor)
                    : new ApiLoop(false, NioIoHandler.newFactory(), supervisor);
        } catch (IllegalStateException | ChannelException e) {
            throw new IOException("no event loop for connections to the API server: " + ConnectionErrors.words(e), e);
        }
    }

    boolean isOnThread() {
        return loop.inEventLoop();
    }

    /** Runs the task on the thread {@code api}; has no effect when that has ended. */
    void execute(Runnable what) {
        if (!offer(what)) {
            LOG.debug("the thread {} has ended", THREAD);
        }
    }

    /**
     * As {@link #execute}, and returns whether the task will be run.
     *
     * @return false if the thread has ended
     */
    boolean offer(Runnable what) {
        try {
            loop.execute(guarded(what));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs the task on the thread {@code api} after a delay. */
    ScheduledFuture<?> schedule(Runnable what, Duration after) {
        return loop.schedule(guarded(what), after.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Runs the task on the thread {@code api} repeatedly, with a delay after each end. */
    void repeat(Runnable what, Duration every) {
        var _ = loop.scheduleWithFixedDelay(guarded(what), every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Logs what the task throws: Netty would log it, but its log is off. */
    private static Runnable guarded(Runnable what) {
        return () -> {
            try {
                what.run();
            } catch (RuntimeException e) {
                LOG.error("error on the thread {}", THREAD, e);
            } catch (Error e) {
                uncaught(e);
            }
        };
    }

    /** Hands an Error to the handler for uncaught ones: Netty catches them all, and this thread would continue. */
    static void uncaught(Error error) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
    }

    ExecutorService access() {
        return access;
    }

    Bootstrap bootstrap() {
        Bootstrap bootstrap = new Bootstrap()
                .group(group)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                // Names are looked up on another thread: the JDK blocks for that.
                .resolver(NoopAddressResolverGroup.INSTANCE)
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

    /** Ends both threads. */
    @Override
    public void close() {
        alive.close();
        accessAlive.close();
        access.shutdownNow();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }
}
