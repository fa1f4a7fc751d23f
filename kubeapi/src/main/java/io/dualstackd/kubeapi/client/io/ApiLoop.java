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
 * The thread {@code api}, on which every connection to the API server lives, and beside it {@code api-access} for what may take time before a
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

    /** What these libraries log is told by us, once; otherwise it would be told with each attempt. */
    private static final List<String> QUIET = List.of("io.netty");

    static {
        // Read when the first buffer is made. A handful of connections need neither arenas nor events of a flight
        // recorder, which together
        // cost five megabytes.
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

    /** @throws IOException when the system gives no event loop, as without file descriptors; the message says why */
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

    /** Runs it on the thread {@code api}; not at all when that has ended. */
    void execute(Runnable what) {
        if (!offer(what)) {
            LOG.debug("the thread {} has ended", THREAD);
        }
    }

    /**
     * As {@link #execute}, and says whether it will be run.
     *
     * @return false when the thread has ended
     */
    boolean offer(Runnable what) {
        try {
            loop.execute(guarded(what));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs it on the thread {@code api} after so long. */
    ScheduledFuture<?> schedule(Runnable what, Duration after) {
        return loop.schedule(guarded(what), after.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Runs it on the thread {@code api} again and again, so long after it was over. */
    void repeat(Runnable what, Duration every) {
        var _ = loop.scheduleWithFixedDelay(guarded(what), every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Netty would log what is thrown, and its log is off. */
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

    /** Hands an Error to where those go that end a thread: Netty catches them all, and this thread would go on as if nothing were. */
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
                // Names are looked up elsewhere: the JDK does that by blocking.
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
