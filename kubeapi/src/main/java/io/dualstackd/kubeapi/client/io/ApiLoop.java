package io.dualstackd.kubeapi.client.io;

import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.LibraryErrors;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.OpenSsl;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code api}, which runs every connection to the API server, and the thread {@code api-access} for blocking work before a
 * connection is made: reading a token, looking up a name.
 */
final class ApiLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private static final String THREAD = "api";

    /** dualstackd logs errors of these libraries itself, once; the libraries would log them with each attempt. */
    private static final List<String> QUIET = List.of("io.netty");

    static {
        // Read when the first buffer is allocated. A handful of connections need neither arenas nor flight recorder
        // events, which together cost five megabytes.
        setUnlessSet("io.netty.allocator.type", "unpooled");
        setUnlessSet("io.netty.jfr.enabled", "false");
    }

    private final ApiTransport transport;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Platform platform;
    private final ExecutorService access;
    private final Supervisor.Row alive;
    private final Supervisor.Row accessAlive;

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private ApiLoop(ApiTransport transport, EventLoopGroup group, Supervisor supervisor) {
        this.transport = transport;
        this.group = group;
        this.loop = group.next();
        this.platform = supervisor.platform();
        this.alive = supervisor.heartbeat(Component.API);
        alive.beatOn(loop);
        this.accessAlive = supervisor.heartbeat(Component.API_ACCESS);
        accessAlive.idle();
        this.access = transport.blocking(THREAD + "-access");
    }

    /** Loads the classes and the native libraries of connections; the properties above are set before. */
    static void loadLibraries() {
        var _ = ApiTransport.system().bootstrap();
        var _ = OpenSsl.isAvailable();
    }

    /** @throws IOException if the transport provides no event loop, as without file descriptors; the message gives the reason */
    static ApiLoop open(ApiTransport transport, Supervisor supervisor) throws IOException {
        QUIET.forEach(LibraryErrors::listen);
        return new ApiLoop(transport, transport.eventLoop(THREAD), supervisor);
    }

    /** The clock and the random numbers. */
    Platform platform() {
        return platform;
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

    /**
     * Runs the task on the thread {@code api-access}.
     *
     * @throws RejectedExecutionException when that has ended
     */
    void block(Runnable what) {
        access.execute(() -> {
            accessAlive.beat();
            try {
                what.run();
            } finally {
                accessAlive.idle();
            }
        });
    }

    /** The blocking work goes on with its next step. */
    void goesOnBlocking() {
        accessAlive.beat();
    }

    Bootstrap bootstrap() {
        // Names are looked up on another thread: the JDK blocks for that.
        return transport.bootstrap().group(group).resolver(NoopAddressResolverGroup.INSTANCE);
    }

    /** The address to connect a channel to. */
    SocketAddress target(InetSocketAddress address) {
        return transport.target(address);
    }

    /** Ends both threads. */
    @Override
    public void close() {
        alive.close();
        accessAlive.close();
        access.shutdownNow();
        transport.end(group);
    }
}
