package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.BoundedWait;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that answers HTTP on any number of listening sockets. It sleeps while there is no traffic. Answers that take long are made on
 * another one.
 *
 * <p>Clients get {@link #TIMEOUT} for a whole connection, and beyond {@link #MAX_CONNECTIONS} the oldest one is closed, so no client can
 * keep load balancers from being answered.
 */
public final class HttpLoop implements HttpListeners {
    private static final Logger LOG = LoggerFactory.getLogger("health");

    static final Duration TIMEOUT = Duration.ofSeconds(10);
    static final int MAX_CONNECTIONS = 256;
    /** Bytes of answers that take long and are not read yet, beyond which no further one is made: each may have megabytes. */
    static final long MAX_UNREAD = 32L << 20;

    private static final int BACKLOG = 128;
    /** The pause before accepting again after accept failed. */
    private static final Duration AGAIN = Duration.ofMillis(100);

    /** How long a port may be kept by a listener that was closed. */
    private static final Duration FREED = Duration.ofSeconds(1);

    private final NetNs ns;
    private final Selector selector;
    private final Worker worker;
    private final SlowAnswers slow;
    /** The oldest first; used by the loop's thread alone. */
    private final Set<HttpConnection> conversations = new LinkedHashSet<>();

    private final AtomicLong unread = new AtomicLong();

    /** Whether a connection could not be accepted; used by the loop's thread alone. */
    private boolean refused;

    /** Work of other threads. */
    private final Queue<Runnable> handedOver = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    private HttpLoop(NetNs ns, Selector selector, Component component, Supervisor supervisor) {
        this.ns = ns;
        this.selector = selector;
        this.worker = supervisor.worker(component, this::live);
        this.slow = new SlowAnswers(supervisor);
    }

    /** @param ns the network namespace listeners are opened in; the loop does not close it */
    public static HttpLoop start(NetNs ns) throws IOException {
        return start(ns, Supervisor.none());
    }

    /** As above; the thread is watched by {@code supervisor}. */
    public static HttpLoop start(NetNs ns, Supervisor supervisor) throws IOException {
        return start(ns, Component.HEALTH, supervisor);
    }

    /** As above; the thread belongs to {@code component}. */
    public static HttpLoop start(NetNs ns, Component component, Supervisor supervisor) throws IOException {
        HttpLoop loop = new HttpLoop(ns, Selector.open(), component, supervisor);
        var _ = loop.worker.start();
        return loop;
    }

    /** A listening socket; closing it leaves established connections alone. */
    public final class Listener implements HttpListeners.Listener {
        private final ServerSocketChannel channel;

        private Listener(ServerSocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public int port() {
            return channel.socket().getLocalPort();
        }

        @Override
        public void close() {
            closeQuietly(channel);
            // The port is free once the selector has noticed.
            selector.wakeup();
        }
    }

    @Override
    public Listener listen(Listening where, HttpHandler handler) throws IOException {
        ServerSocketChannel channel = openOnceFree(where);
        try {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_ACCEPT, handler);
            if (closed) {
                // What is registered now is not closed by anybody, and would keep the port.
                throw new ClosedSelectorException();
            }
            selector.wakeup();
            return new Listener(channel);
        } catch (ClosedSelectorException e) {
            closeQuietly(channel);
            throw new IOException("cannot listen on " + where + ": the loop is closed", e);
        } catch (IOException | RuntimeException e) {
            closeQuietly(channel);
            throw e;
        }
    }

    /** Whether this JVM opens IPv6 sockets at all: it looks for IPv6 once, when the first socket is opened. */
    public static boolean hasIpv6() throws IOException {
        try (ServerSocketChannel ignored = ServerSocketChannel.open(StandardProtocolFamily.INET6)) {
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    /** Runs the task on the loop's thread. */
    void execute(Runnable task) {
        handedOver.add(task);
        selector.wakeup();
    }

    /** Whether another answer that takes long may be made. */
    boolean hasRoom() {
        return unread.get() < MAX_UNREAD;
    }

    /** Counts bytes of such an answer that wait for their reader, or no longer wait. */
    void unread(long change) {
        unread.addAndGet(change);
    }

    /** Runs the task, which takes long, on another thread. */
    void slowly(Runnable task) {
        slow.add(task);
    }

    /** Does not run a task of {@link #slowly}, unless it runs already: its client is gone. */
    void forget(Runnable task) {
        slow.remove(task);
    }

    /** The number of tasks of {@link #slowly} that have not begun. */
    int waiting() {
        return slow.waiting();
    }

    private void runHandedOver() {
        for (Runnable task = handedOver.poll(); task != null; task = handedOver.poll()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("conversation ended by a bug next=others-go-on", e);
            }
        }
    }

    /** Opens a socket; once more when the port is taken, as it may be by a listener that was just closed. */
    private ServerSocketChannel openOnceFree(Listening where) throws IOException {
        try {
            return open(where);
        } catch (IOException e) {
            // Without file descriptors, say, waiting for the loop would not help, and the caller may be a sync.
            if (closed || !(e.getCause() instanceof BindException) || !freesPorts()) {
                throw e;
            }
            return open(where);
        }
    }

    /** Has the loop's thread free the ports of closed listeners; returns false when it did not do so in time. */
    private boolean freesPorts() {
        CountDownLatch freed = new CountDownLatch(1);
        try {
            execute(() -> {
                try {
                    // A selector closes the sockets that were registered with it. What is ready now, the next select
                    // finds again.
                    selector.selectNow();
                    freed.countDown();
                } catch (IOException e) {
                    LOG.debug("select reason=\"{}\"", e.toString());
                }
            });
            return freed.await(FREED.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ClosedSelectorException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private ServerSocketChannel open(Listening where) throws IOException {
        try {
            return ns.call(() -> bound(where));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    private static ServerSocketChannel bound(Listening where) throws IOException {
        ServerSocketChannel channel;
        try {
            channel = where.ip().isPresent()
                    ? ServerSocketChannel.open(family(where.ip().get()))
                    : ServerSocketChannel.open();
        } catch (UnsupportedOperationException e) {
            throw new IOException("cannot listen on " + where + ": there was no IPv6 when this process started", e);
        }
        try {
            InetSocketAddress address = where.ip().isPresent()
                    ? new InetSocketAddress(
                            InetAddress.getByAddress(where.ip().get().toBytes()), where.port())
                    : new InetSocketAddress(where.port());
            return channel.bind(address, BACKLOG);
        } catch (IOException e) {
            closeQuietly(channel);
            throw new IOException("cannot listen on " + where + ": " + e.getMessage(), e);
        }
    }

    private static ProtocolFamily family(Ip ip) {
        return ip.family() == IpFamily.IPV4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }

    private void live(Heartbeat heartbeat) throws IOException {
        try {
            while (!closed) {
                heartbeat.beat();
                Duration longest =
                        heartbeat.atMost(conversations.isEmpty() ? BoundedWait.FOREVER : TIMEOUT.dividedBy(10));
                selector.select(Math.max(1, longest.toMillis()));
                Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
                while (ready.hasNext()) {
                    SelectionKey key = ready.next();
                    ready.remove();
                    serve(key);
                }
                // Once for all listeners: there may be hundreds, and clients that are connected wait meanwhile.
                pauseIfRefused();
                runHandedOver();
                hangUpOnTheSlow();
            }
        } catch (ClosedSelectorException e) {
            LOG.debug("closed");
        } finally {
            List.copyOf(conversations).forEach(this::end);
        }
    }

    private void serve(SelectionKey key) {
        try {
            if (key.attachment() instanceof HttpConnection httpConnection) {
                if (!httpConnection.goOn(key)) {
                    end(httpConnection);
                }
            } else if (key.channel() instanceof ServerSocketChannel listener
                    && key.attachment() instanceof HttpHandler handler) {
                accept(listener, handler);
            }
        } catch (CancelledKeyException e) {
            LOG.debug("gone before it was served");
        } catch (IOException e) {
            LOG.debug("conversation ended reason=\"{}\"", e.toString());
            ended(key);
        } catch (RuntimeException e) {
            // A bug of dualstackd in one answer is no reason to stop answering the others.
            LOG.error("conversation ended by a bug next=others-go-on", e);
            ended(key);
        }
    }

    private void ended(SelectionKey key) {
        if (key.attachment() instanceof HttpConnection httpConnection) {
            end(httpConnection);
        } else {
            refused = true;
        }
    }

    /** Most likely no file descriptor is left; an immediate retry would not help, and keep a processor busy. */
    private void pauseIfRefused() {
        if (refused) {
            refused = false;
            LockSupport.parkNanos(AGAIN.toNanos());
        }
    }

    private void accept(ServerSocketChannel listener, HttpHandler handler) throws IOException {
        SocketChannel client = listener.accept();
        if (client == null) {
            return;
        }
        try {
            client.configureBlocking(false);
            HttpConnection httpConnection = new HttpConnection(client, handler, this, System.nanoTime());
            client.register(selector, SelectionKey.OP_READ, httpConnection);
            conversations.add(httpConnection);
        } catch (IOException | RuntimeException e) {
            closeQuietly(client);
            throw e;
        }
        if (conversations.size() > MAX_CONNECTIONS) {
            end(conversations.iterator().next());
        }
    }

    private void hangUpOnTheSlow() {
        long now = System.nanoTime();
        List<HttpConnection> slow = new ArrayList<>();
        for (HttpConnection httpConnection : conversations) {
            if (now - httpConnection.began() < TIMEOUT.toNanos()) {
                break;
            }
            slow.add(httpConnection);
        }
        slow.forEach(this::end);
    }

    private void end(HttpConnection httpConnection) {
        conversations.remove(httpConnection);
        httpConnection.close();
    }

    static void closeQuietly(AutoCloseable channel) {
        try {
            channel.close();
        } catch (Exception e) {
            LOG.debug("close reason=\"{}\"", e.toString());
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        worker.stop();
        Set<SelectionKey> keys = selector.keys();
        List.copyOf(keys).forEach(key -> closeQuietly(key.channel()));
        selector.wakeup();
        worker.join();
        closeQuietly(selector);
    }
}
