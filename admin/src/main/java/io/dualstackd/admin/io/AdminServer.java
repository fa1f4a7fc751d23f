package io.dualstackd.admin.io;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.BoundedWait;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests about the daemon on a Unix domain socket that only its owner may use (mode 0600).
 *
 * <p>One thread, {@code admin}, accepts connections; each request has a virtual thread of its own. A client that is slow to send or to read
 * is disconnected.
 */
public final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("admin");
    /** The maximum number of connections: enough that slow clients do not block others, as slow ones are disconnected soon. */
    private static final int MAX_CONNECTIONS = 64;

    /** The maximum number of requests with a text in memory at a time. */
    private static final int MAX_BODIES = 4;

    /** The time a client may take to read its answer. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    /** The time to connect to another daemon: the queue of one that hangs is full. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** Bytes of a socket's path that the JDK accepts, also of its clients. */
    private static final int MAX_PATH = 106;

    private static final int BACKLOG = 128;

    /** The pause before accepting again after accept failed. */
    private static final Duration AGAIN = Duration.ofMillis(200);

    private final Path path;
    private volatile Socket socket;
    private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
    private final Semaphore bodies = new Semaphore(MAX_BODIES);
    private final Selector selector;
    private @Nullable Worker worker;
    private boolean refusing;
    private boolean missing;

    /**
     * A socket that listens.
     *
     * @param file device and inode
     */
    private record Socket(
            ServerSocketChannel channel, @Nullable Object file) {}

    private AdminServer(Path path, Socket socket, Selector selector) {
        this.path = path;
        this.socket = socket;
        this.selector = selector;
    }

    /**
     * Creates the socket and starts answering.
     *
     * @param status as for {@link #answer}
     * @throws IOException as {@link #bind}
     */
    public static AdminServer open(Path path, Supplier<StatusReport> status) throws IOException {
        AdminServer admin = bind(path);
        admin.answer(AdminSources.of(status));
        return admin;
    }

    /**
     * Creates the socket; clients that connect now wait for {@link #answer}. The folder of the socket is created when it is missing; a
     * socket file on which no process listens is replaced.
     *
     * @throws FileAlreadyExistsException when another daemon answers there, or the file is no socket
     * @throws IOException when the socket cannot be created
     */
    public static AdminServer bind(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        try {
            return bound(absolute);
        } catch (IOException e) {
            if (e instanceof FileAlreadyExistsException refused && refused.getReason() != null) {
                throw refused;
            }
            // Alone, the system's reason names a folder at most, and not what it was for.
            throw new IOException("the admin socket " + absolute + " cannot be created: " + why(e), e);
        }
    }

    private static String why(IOException e) {
        return switch (e) {
            case FileAlreadyExistsException file -> file.getFile() + " is not a folder";
            case AccessDeniedException folder -> folder.getFile() + ": permission denied";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static AdminServer bound(Path absolute) throws IOException {
        // Opened now, as no file descriptor may be available later.
        Selector selector = Selector.open();
        try {
            return new AdminServer(absolute, listen(absolute, selector), selector);
        } catch (IOException e) {
            selector.close();
            throw e;
        }
    }

    private static Socket listen(Path absolute, Selector selector) throws IOException {
        Path folder = absolute.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        requireFree(absolute);
        requireSocket(absolute);
        int bytes = absolute.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_PATH) {
            throw new IOException("the path has " + bytes + " bytes, that of a socket at most " + MAX_PATH);
        }
        // Short, as the final name may just fit.
        Path fresh = absolute.resolveSibling(
                "." + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX));
        Files.deleteIfExists(fresh);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(fresh), BACKLOG);
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            Object file = attributes(fresh).fileKey();
            Files.move(fresh, absolute, StandardCopyOption.ATOMIC_MOVE);
            return new Socket(server, file);
        } catch (IOException | ClosedSelectorException e) {
            server.close();
            Files.deleteIfExists(fresh);
            throw e;
        }
    }

    /** Makes the socket again when another program has removed its file: without it, no command reaches the daemon any more. */
    private void keep() {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Socket before = socket;
        try {
            socket = listen(path, selector);
            before.channel.close();
            missing = false;
            LOG.warn("the admin socket was removed by another program and was created again file={}", path);
        } catch (IOException e) {
            if (!missing) {
                missing = true;
                LOG.warn(
                        "the admin socket was removed and cannot be created file={} reason=\"{}\" next=try-again",
                        path,
                        why(e));
            }
        }
    }

    /**
     * Starts answering; called once.
     *
     * @param status called for every request, from several threads; must not block
     */
    public void answer(Supplier<StatusReport> status) {
        answer(AdminSources.of(status));
    }

    /** As {@link #answer(Supplier)}, for all requests. */
    public void answer(AdminSources sources) {
        answer(sources, Supervisor.none());
    }

    /** As {@link #answer(AdminSources)}; the thread is watched by {@code supervisor}. */
    public void answer(AdminSources sources, Supervisor supervisor) {
        AdminHandlers adminHandlers = new AdminHandlers(sources);
        worker = supervisor
                .worker(Component.ADMIN, heartbeat -> accept(adminHandlers, heartbeat))
                .start();
    }

    /**
     * Checks that no process listens on the socket. To be called before a daemon touches the kernel, because two daemons would undo each
     * other's work forever.
     *
     * @throws FileAlreadyExistsException when another daemon answers, or hangs
     */
    public static void requireFree(Path path) throws FileAlreadyExistsException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Deadline ignored = new Deadline(channel, CONNECT_TIMEOUT)) {
            var _ = channel.connect(UnixDomainSocketAddress.of(path));
            throw new FileAlreadyExistsException(
                    path.toString(), null, "another dualstackd answers on this admin socket");
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (ClosedChannelException e) {
            throw new FileAlreadyExistsException(
                    path.toString(), null, "another dualstackd listens on this admin socket, but does not answer");
        } catch (IOException e) {
            // no process answers
        }
    }

    /** Refuses to replace a file or a folder: then the path is a mistake. */
    private static void requireSocket(Path path) throws IOException {
        try {
            BasicFileAttributes there = attributes(path);
            if (there.isRegularFile() || there.isDirectory()) {
                throw new FileAlreadyExistsException(
                        path.toString(),
                        null,
                        "the admin socket cannot be created here: this is a "
                                + (there.isDirectory() ? "folder" : "file") + ", not a socket");
            }
        } catch (NoSuchFileException e) {
            // The usual case.
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private void accept(AdminHandlers adminHandlers, Heartbeat heartbeat) throws InterruptedException {
        try {
            while (true) {
                heartbeat.beat();
                selector.select(heartbeat.longestWait().toMillis());
                selector.selectedKeys().clear();
                for (SocketChannel client = next(); client != null; client = next()) {
                    begin(client, adminHandlers, heartbeat);
                }
                keep();
            }
        } catch (ClosedChannelException | ClosedSelectorException e) {
            LOG.debug("closed");
        } catch (IOException e) {
            throw new UncheckedIOException("the admin socket failed", e);
        }
    }

    /** Returns the next client; null when there is none, or accept failed. */
    private @Nullable SocketChannel next() throws ClosedChannelException, InterruptedException {
        try {
            SocketChannel client = socket.channel.accept();
            refusing = refusing && client == null;
            return client;
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            // Most likely no file descriptor is left. Clients wait in the queue of the socket.
            if (!refusing) {
                refusing = true;
                LOG.warn("admin socket cannot accept connections reason=\"{}\" next=try-again", e.getMessage());
            }
            Thread.sleep(AGAIN);
            return null;
        }
    }

    private void begin(SocketChannel client, AdminHandlers adminHandlers, Heartbeat heartbeat)
            throws InterruptedException {
        try {
            boolean ignored = BoundedWait.inParts(
                    heartbeat, BoundedWait.FOREVER, time -> free.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            closeQuietly(client);
            throw e;
        }
        Thread.ofVirtual().name("admin-question").start(() -> serve(client, adminHandlers));
    }

    private static void closeQuietly(Closeable channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("close reason=\"{}\"", e.toString());
        }
    }

    private void serve(SocketChannel client, AdminHandlers adminHandlers) {
        try (client) {
            AdminRequest.read(
                    client,
                    bodies,
                    adminRequest -> write(client, AdminClient.measured(answer(adminHandlers, adminRequest, client))));
        } catch (IOException e) {
            LOG.debug("admin client went away error=\"{}\"", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            free.release();
        }
    }

    /** Answers a request. A bug in dualstackd is reported as an error, so that the client does not take it for an answer. */
    private static String answer(AdminHandlers adminHandlers, AdminRequest adminRequest, SocketChannel client)
            throws IOException {
        try {
            return adminRequest.words().getFirst().equals(AdminRequest.TRACE)
                    ? adminHandlers.to(
                            adminRequest, part -> send(client, part), new DisconnectWatch(client)::disconnected)
                    : adminHandlers.to(adminRequest);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("a request failed because of a bug, please report it request=\"{}\"", adminRequest.line(), e);
            return AdminClient.ERROR + "\nthis is a bug in dualstackd, please report it: " + e + "\n";
        }
    }

    /** Sends a part of an answer. That the client disconnects is noticed elsewhere. */
    private static void send(SocketChannel client, String part) {
        try {
            write(client, part);
        } catch (IOException e) {
            LOG.debug("admin client went away error=\"{}\"", e.getMessage());
        }
    }

    private static void write(SocketChannel client, String answer) throws IOException {
        try (Deadline ignored = new Deadline(client, READ_TIMEOUT)) {
            ByteBuffer buffer = ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8));
            while (buffer.hasRemaining()) {
                client.write(buffer);
            }
        }
    }

    /** Stops answering and removes the socket file. One that stays is no reason not to stop: the next daemon replaces it. */
    @Override
    public void close() {
        closeQuietly(socket.channel);
        closeQuietly(selector);
        if (worker != null) {
            worker.interrupt();
            worker.join();
        }
        // Again, as the thread may have made the socket anew meanwhile.
        closeQuietly(socket.channel);
        try {
            // What another program put there is not ours, and it may be the socket of the next daemon.
            if (Objects.equals(attributes(path).fileKey(), socket.file)) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("the admin socket is gone already");
        } catch (IOException e) {
            LOG.warn("the admin socket was not removed file={} reason=\"{}\"", path, why(e));
        }
    }
}
