package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.supervision.sys.SimulatedPlatform;
import io.dualstackd.supervision.sys.Trace;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An API server in the memory of a simulation, and the transport that leads to it. The connections of the client are Netty's local
 * channels, whose event loop waits in virtual time.
 */
public final class InMemoryApiServer implements ApiTransport {
    private static final Map<String, ObjectKey.Kind> PATHS = Map.of(
            "/api/v1/services", ObjectKey.Kind.SERVICE,
            "/api/v1/nodes", ObjectKey.Kind.NODE,
            "/apis/discovery.k8s.io/v1/endpointslices", ObjectKey.Kind.ENDPOINT_SLICE,
            "/apis/networking.k8s.io/v1/servicecidrs", ObjectKey.Kind.SERVICE_CIDR);
    private static final TestWriting WRITING = new TestWriting(true);
    private static final LocalAddress ADDRESS = new LocalAddress("simulated");
    private static final Duration BOOKMARK = Duration.ofSeconds(60);

    private final SimulatedPlatform platform;
    private final Trace trace;
    private final TestObjects objects = new TestObjects();
    private final List<Connection> connections = new ArrayList<>();
    private @Nullable EventLoopGroup loop;
    private @Nullable Channel listening;
    private boolean up = true;
    private Duration latency = Duration.ZERO;
    private long requests;
    /** The event loop ends: Netty does that only while time passes. */
    private boolean ending;

    private long endingNanos;

    /** There may be one at a time in a process. */
    public InMemoryApiServer(SimulatedPlatform platform, Trace trace) {
        this.platform = platform;
        this.trace = trace;
    }

    // The world of the server; to be called by the simulation only.

    public void put(ApiObject object) {
        objects.put(object);
        sendEvents();
    }

    public void delete(ObjectKey key) {
        objects.delete(key);
        sendEvents();
    }

    /** Past changes are forgotten: a watch from before must begin with a list. */
    public void compact() {
        objects.compact();
    }

    /** Bytes take up to this long from now on, in each direction; each time another part of it. */
    public void latency(Duration longest) {
        latency = longest;
    }

    /** Closes all connections and accepts none. */
    public void stop() {
        trace.add(platform.nanoTime(), "server", "away");
        up = false;
        onLoop(() -> {
            if (listening != null) {
                var _ = listening.close();
                listening = null;
            }
            List.copyOf(connections).forEach(connection -> connection.close());
        });
    }

    /** Accepts connections again. */
    public void start() {
        trace.add(platform.nanoTime(), "server", "back");
        up = true;
        onLoop(this::bind);
    }

    /** Closes all connections, in the middle of whatever they carry. */
    public void disconnect() {
        trace.add(platform.nanoTime(), "server", "disconnects");
        onLoop(() -> List.copyOf(connections).forEach(connection -> connection.close()));
    }

    /** How many requests have arrived. */
    public long requests() {
        return requests;
    }

    private void onLoop(Runnable what) {
        EventLoopGroup open = loop;
        if (open != null) {
            open.next().execute(what);
        }
    }

    private void sendEvents() {
        onLoop(() -> List.copyOf(connections).forEach(Connection::sendEvents));
    }

    private void bind() {
        EventLoopGroup open = loop;
        if (open == null || listening != null) {
            return;
        }
        listening = new ServerBootstrap()
                .group(open)
                .channel(LocalServerChannel.class)
                .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 20), new Connection());
                    }
                })
                .bind(ADDRESS)
                .channel();
    }

    // The transport.

    @Override
    public EventLoopGroup eventLoop(String thread) {
        Ticker ticker = new Ticker() {
            @Override
            public long initialNanoTime() {
                return 0;
            }

            @Override
            public long nanoTime() {
                return platform.nanoTime() + (ending ? ++endingNanos : 0);
            }

            @Override
            public void sleep(long delay, TimeUnit unit) {
                platform.sleep(Duration.of(delay, unit.toChronoUnit()));
            }
        };
        Executor starting = work -> platform.thread(thread, work).start();
        EventLoopGroup open =
                new SingleThreadIoEventLoop(
                        null,
                        starting,
                        executor -> new VirtualTime(LocalIoHandler.newFactory().newHandler(executor), ticker)) {
                    @Override
                    public Ticker ticker() {
                        return ticker;
                    }
                };
        loop = open;
        ending = false;
        if (up) {
            onLoop(this::bind);
        }
        return open;
    }

    @Override
    public void end(EventLoopGroup eventLoop) {
        ending = true;
        loop = null;
        listening = null;
        var _ = eventLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        try {
            boolean ignored = platform.waitFor(eventLoop::isTerminated, platform.nanoTime() + 1_000_000_000L);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Bootstrap bootstrap() {
        return new Bootstrap()
                .channel(LocalChannel.class)
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT);
    }

    @Override
    public SocketAddress target(InetSocketAddress ignored) {
        return ADDRESS;
    }

    @Override
    public ExecutorService blocking(String thread) {
        return new OneThread(thread);
    }

    /** Lets an event loop of local channels wait in virtual time. */
    private final class VirtualTime implements IoHandler {
        private final IoHandler local;
        private final Ticker ticker;
        private boolean woken;

        VirtualTime(IoHandler local, Ticker ticker) {
            this.local = local;
            this.ticker = ticker;
        }

        @Override
        public int run(IoHandlerContext context) {
            if (context.canBlock()) {
                long now = ticker.nanoTime();
                try {
                    boolean ignored = platform.waitFor(() -> woken, now + Math.max(0, context.delayNanos(now)));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            woken = false;
            return 0;
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return local.register(handle);
        }

        @Override
        public void wakeup() {
            woken = true;
        }

        @Override
        public void prepareToDestroy() {
            local.prepareToDestroy();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return local.isCompatible(type);
        }
    }

    /** A thread of the simulation that does one thing after the other. */
    private final class OneThread extends AbstractExecutorService {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private boolean closed;

        OneThread(String name) {
            platform.thread(name, this::work).start();
        }

        private void work() {
            try {
                while (platform.waitFor(() -> closed || !tasks.isEmpty(), Long.MAX_VALUE) && !closed) {
                    tasks.removeFirst().run();
                }
            } catch (InterruptedException e) {
                closed = true;
            }
        }

        @Override
        public void execute(Runnable command) {
            if (closed) {
                throw new java.util.concurrent.RejectedExecutionException("closed");
            }
            tasks.add(command);
        }

        @Override
        public void shutdown() {
            closed = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            closed = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return closed;
        }

        @Override
        public boolean isTerminated() {
            return closed;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return closed;
        }
    }

    /** One connection at the server's end. */
    private final class Connection extends SimpleChannelInboundHandler<FullHttpRequest> {
        private @Nullable ChannelHandlerContext context;
        private ObjectKey.@Nullable Kind watched;
        private long since;
        private long sendAt;

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            context = added;
            connections.add(this);
        }

        @Override
        public void channelInactive(ChannelHandlerContext closed) {
            connections.remove(this);
            watched = null;
        }

        void close() {
            if (context != null) {
                var _ = context.close();
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ignored, FullHttpRequest request) {
            requests++;
            String uri = request.uri();
            String method = request.method().name();
            trace.add(platform.nanoTime(), "request", method + " " + uri);
            later(() -> answer(method, uri));
        }

        /** Sends after what was sent before, and after a latency. */
        private void later(Runnable what) {
            ChannelHandlerContext open = context;
            if (open == null) {
                return;
            }
            long span = latency.isZero() ? 0 : platform.random().nextLong(latency.toNanos() + 1);
            sendAt = Math.max(sendAt, platform.nanoTime() + span);
            var _ = open.executor().schedule(what, sendAt - platform.nanoTime(), TimeUnit.NANOSECONDS);
        }

        private void answer(String method, String uri) {
            QueryStringDecoder query = new QueryStringDecoder(uri);
            ObjectKey.Kind kind = PATHS.get(query.path());
            if (!"GET".equals(method)) {
                whole(201, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
            } else if (kind == null) {
                whole(200, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
            } else if (parameter(query, "watch").isPresent()) {
                watch(kind, query);
            } else {
                whole(
                        200,
                        WRITING.mediaType(),
                        WRITING.list(kind, objects.all(kind), objects.version(), Optional.empty()));
            }
        }

        private void watch(ObjectKey.Kind kind, QueryStringDecoder query) {
            boolean initial = parameter(query, "sendInitialEvents").isPresent();
            long from = parameter(query, "resourceVersion").map(Long::parseLong).orElse(0L);
            if (!initial && !objects.knows(from)) {
                whole(
                        410,
                        "application/json",
                        new TestWriting(false).status(new ApiStatus(410, "Expired", "too old", OptionalInt.empty())));
                return;
            }
            HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, WRITING.mediaType() + ";stream=watch")
                    .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            send(head);
            watched = kind;
            since = initial ? objects.version() : from;
            if (initial) {
                objects.all(kind).forEach(item -> chunk(WRITING.event("ADDED", item)));
            }
            chunk(WRITING.bookmark(kind, since, initial));
            sendEvents();
            bookmarks();
        }

        private void bookmarks() {
            ChannelHandlerContext open = context;
            if (open != null) {
                var _ = open.executor()
                        .schedule(
                                () -> {
                                    ObjectKey.Kind kind = watched;
                                    if (kind != null) {
                                        since = objects.version();
                                        byte[] bookmark = WRITING.bookmark(kind, since, false);
                                        later(() -> chunk(bookmark));
                                        bookmarks();
                                    }
                                },
                                BOOKMARK.toNanos(),
                                TimeUnit.NANOSECONDS);
            }
        }

        /** Sends what has happened since the last time. */
        private void sendEvents() {
            ObjectKey.Kind kind = watched;
            if (kind == null) {
                return;
            }
            try {
                for (TestObjects.Event event : objects.since(since, kind, 0)) {
                    since = event.version();
                    byte[] bytes =
                            WRITING.event(event.type(), new TestObjects.Versioned(event.object(), event.version()));
                    later(() -> chunk(bytes));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void chunk(byte[] bytes) {
            send(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)));
        }

        private void whole(int status, String type, byte[] body) {
            ByteBuf content = Unpooled.wrappedBuffer(body);
            DefaultFullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), content);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, type)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
            send(response);
        }

        private void send(Object what) {
            ChannelHandlerContext open = context;
            if (open != null && open.channel().isActive()) {
                var _ = open.writeAndFlush(what);
            } else {
                io.netty.util.ReferenceCountUtil.release(what);
            }
        }

        private static Optional<String> parameter(QueryStringDecoder query, String name) {
            return Optional.ofNullable(query.parameters().get(name)).map(List::getFirst);
        }
    }
}
