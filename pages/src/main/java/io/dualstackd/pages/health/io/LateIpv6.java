package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import io.dualstackd.pages.health.HttpRequest.Reading;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.LibraryErrors;
import io.dualstackd.supervision.io.Supervisor;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens on IPv6 in a JVM that was started where there was no IPv6: the JDK looks for it only once, and never opens an IPv6 socket
 * afterwards. These sockets are Netty's, on the thread {@code health-ipv6}; their requests are answered on the thread of the
 * {@link HttpLoop}, as all others.
 */
public final class LateIpv6 implements HttpListeners {
    private static final int BACKLOG = 128;

    private final HttpLoop loop;
    private final NetNs ns;
    private final Supervisor supervisor;
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1,
            Thread.ofPlatform().name(Component.HEALTH_IPV6.toString()).daemon().factory(),
            EpollIoHandler.newFactory());
    private final Supervisor.Row alive;
    /** The oldest first; used by the thread of these sockets alone. */
    private final Set<ChannelHandlerContext> connections = new LinkedHashSet<>();

    private LateIpv6(HttpLoop loop, NetNs ns, Supervisor supervisor) {
        this.loop = loop;
        this.ns = ns;
        this.supervisor = supervisor;
        this.alive = supervisor.heartbeat(Component.HEALTH_IPV6);
        alive.beatOn(group.next());
    }

    /** IPv4 addresses are left to the loop, which is closed with this; all are where Netty has no epoll. */
    public static HttpListeners beside(HttpLoop loop, NetNs ns, Supervisor supervisor) {
        LibraryErrors.listen("io.netty");
        return Epoll.isAvailable() ? new LateIpv6(loop, ns, supervisor) : loop;
    }

    @Override
    public Listener listen(Listening where, HttpHandler handler) throws IOException {
        if (where.ip().filter(ip -> ip.family() == IpFamily.IPV4).isPresent()) {
            return loop.listen(where, handler);
        }
        // The unspecified address of IPv6 is that of both families.
        Ip ip = where.ip().orElseGet(() -> Ip.unspecified(IpFamily.IPV6));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), where.port());
        ChannelFuture binding = inNamespace(address, handler).awaitUninterruptibly();
        Throwable cause = binding.cause();
        if (cause != null) {
            throw new IOException("cannot listen on " + where + ": " + cause.getMessage(), cause);
        }
        return new Socket(binding.channel());
    }

    /** Runs the task on the thread of these sockets. */
    void execute(Runnable task) {
        group.execute(task);
    }

    private ChannelFuture inNamespace(InetSocketAddress address, HttpHandler handler) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channelFactory(() -> new EpollServerSocketChannel(SocketProtocolFamily.INET6))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                // A client may end its side behind the request, as those of HTTP/1.0 do.
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Connection(handler));
                    }
                });
        try {
            return ns.call(() -> bootstrap.bind(address));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("nothing else is thrown in there", e);
        }
    }

    private record Socket(Channel channel) implements Listener {
        @Override
        public int port() {
            return ((InetSocketAddress) channel.localAddress()).getPort();
        }

        @Override
        public void close() {
            var _ = channel.close().awaitUninterruptibly();
        }
    }

    /** The connection of one client: the request is read and answered, and the connection ends. */
    private final class Connection extends SimpleChannelInboundHandler<ByteBuf> {
        private final HttpHandler handler;
        private final ByteArrayOutputStream head = new ByteArrayOutputStream();
        private boolean asked;
        private boolean answered;
        /** Whether the client sends nothing more. */
        private boolean ended;
        /** Makes the answer, if it takes long. */
        private @Nullable Runnable slow;

        Connection(HttpHandler handler) {
            this.handler = handler;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            connections.add(context);
            if (connections.size() > HttpLoop.MAX_CONNECTIONS) {
                // As in the loop: a client that sends nothing must not keep load balancers from being answered.
                ChannelHandlerContext oldest = connections.iterator().next();
                connections.remove(oldest);
                var _ = oldest.close();
            }
            var _ = context.executor().schedule(() -> end(context), HttpLoop.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void end(ChannelHandlerContext context) {
            var _ = context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            connections.remove(context);
            if (slow != null) {
                loop.forget(slow);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                ended = true;
                if (answered || !asked) {
                    end(context);
                }
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            if (asked) {
                return;
            }
            head.writeBytes(ByteBufUtil.getBytes(bytes));
            switch (HttpRequest.read(head.toByteArray(), head.size())) {
                case Reading.More ignored -> {}
                case Reading.Malformed ignored -> {
                    asked = true;
                    send(context, HttpAnswer.BAD_REQUEST.encoded(true));
                }
                case Reading.Complete(HttpRequest request) -> {
                    asked = true;
                    Ip local = Ip.ofBytes(((InetSocketAddress) context.channel().localAddress())
                            .getAddress()
                            .getAddress());
                    Runnable answering = () -> answer(context, request, local);
                    if (handler.takesLong(request)) {
                        slow = answering;
                        loop.slowly(answering);
                    } else {
                        loop.execute(answering);
                    }
                }
            }
        }

        private void answer(ChannelHandlerContext context, HttpRequest request, Ip local) {
            if (!context.channel().isActive()) {
                // The client is gone.
                return;
            }
            Optional<HttpAnswer> answer = Optional.empty();
            try {
                answer = handler.answer(request, local);
            } finally {
                answer.map(some -> some.encoded(!request.method().equals("HEAD")))
                        .ifPresentOrElse(bytes -> send(context, bytes), () -> reset(context));
            }
        }

        /** Ends with a reset, which a client also gets where nothing listens. */
        private void reset(ChannelHandlerContext context) {
            context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            var _ = context.close();
        }

        private void send(ChannelHandlerContext context, byte[] bytes) {
            var _ = context.writeAndFlush(Unpooled.wrappedBuffer(bytes)).addListener(sent -> {
                // The client closes first: closing with unread bytes would reset the connection.
                answered = true;
                if (ended) {
                    end(context);
                } else if (context.channel() instanceof DuplexChannel channel) {
                    var _ = channel.shutdownOutput();
                }
            });
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof Error error) {
                supervisor.fatal().end("component " + Component.HEALTH_IPV6 + " failed", error);
            }
            var _ = context.close();
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        alive.close();
        loop.close();
    }
}
