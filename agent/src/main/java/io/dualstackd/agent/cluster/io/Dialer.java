package io.dualstackd.agent.cluster.io;

import io.dualstackd.agent.cluster.RequestObserver;
import io.dualstackd.agent.cluster.access.ClusterAccess;
import io.dualstackd.agent.cluster.access.Proxy;
import io.dualstackd.agent.cluster.access.io.Credentials;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.proxy.ProxyHandler;
import io.netty.handler.proxy.Socks5ProxyHandler;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** How a connection to the server is made, and who we say we are. Shared by all connections. */
final class Dialer {
    private static final int LONGEST_LINE = 8 << 10;
    private static final int LONGEST_HEAD = 32 << 10;
    private static final int PIECE = 64 << 10;

    private final ClusterAccess server;
    private final Credentials credentials;
    private final Optional<Proxy> proxy;
    private final ApiLoop loop;
    private final Tls tls;
    private final RequestObserver observer;

    /**
     * @param observer told of every request
     * @throws IllegalArgumentException when the proxy cannot be used; the message says why
     */
    Dialer(
            ClusterAccess server,
            Credentials credentials,
            Map<String, String> environment,
            ApiLoop loop,
            RequestObserver observer) {
        this.server = server;
        this.credentials = credentials;
        this.proxy = Proxy.of(server, environment);
        this.loop = loop;
        this.tls = new Tls(server, SystemAuthorities.of(environment));
        this.observer = observer;
    }

    /** What had to be found out before. */
    sealed interface Prepared {
        /**
         * @param authorization for the header
         * @param addresses where the server (or the proxy) is, when a connection is to be made
         */
        record Ready(Optional<String> authorization, List<InetSocketAddress> addresses, Optional<SslContext> tls)
                implements Prepared {}

        /** It cannot be asked, and why. */
        record Not(String why) implements Prepared {}
    }

    ClusterAccess server() {
        return server;
    }

    RequestObserver observer() {
        return observer;
    }

    EventLoop loop() {
        return loop.loop();
    }

    String tlsName() {
        return tls.name();
    }

    void refused() {
        loop.access().execute(credentials::refused);
    }

    /**
     * Finds out what takes time, elsewhere.
     *
     * @param connect a connection will be made
     * @param to called on the event loop
     */
    void prepare(boolean connect, Consumer<Prepared> to) {
        try {
            loop.access().execute(() -> {
                Prepared prepared = prepare(connect);
                loop.loop().execute(() -> to.accept(prepared));
            });
        } catch (RejectedExecutionException e) {
            // Closing; nobody waits for an answer.
        }
    }

    private Prepared prepare(boolean connect) {
        try {
            Optional<String> authorization = credentials.authorization();
            return connect
                    ? new Prepared.Ready(authorization, addresses(), tls.context(credentials.certificate()))
                    : new Prepared.Ready(authorization, List.of(), Optional.empty());
        } catch (UnknownHostException e) {
            return new Prepared.Not("the name " + place() + " cannot be looked up: " + e.getMessage());
        } catch (IOException e) {
            return new Prepared.Not("cannot ask " + server.url() + ": " + e.getMessage());
        } catch (RuntimeException e) {
            return new Prepared.Not("cannot ask " + server.url() + ": " + e);
        }
    }

    private String place() {
        return proxy.map(Proxy::host).orElse(server.host());
    }

    private List<InetSocketAddress> addresses() throws UnknownHostException {
        int port = proxy.map(Proxy::port).orElse(server.port());
        return Stream.of(InetAddress.getAllByName(place()))
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    /** Connects; {@code last} stands at the end of the way, behind HTTP. */
    Bootstrap dial(Optional<SslContext> context, ChannelHandler last) {
        return loop.bootstrap().handler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                ChannelPipeline pipeline = channel.pipeline();
                context.ifPresent(with -> pipeline.addLast(tls.handler(with, channel.alloc())));
                pipeline.addLast(new HttpClientCodec(
                        new HttpDecoderConfig()
                                .setMaxInitialLineLength(LONGEST_LINE)
                                .setMaxHeaderSize(LONGEST_HEAD)
                                .setMaxChunkSize(PIECE),
                        false,
                        true));
                pipeline.addLast(last);
            }
        });
    }

    /** Where to connect to when a proxy passes us on; it looks up names itself. */
    Optional<InetSocketAddress> behindProxy() {
        return proxy.map(ignored -> InetSocketAddress.createUnresolved(server.host(), server.port()));
    }

    /** The first handler on the way, when there is a proxy at this address. */
    Optional<ProxyHandler> proxyAt(InetSocketAddress address) {
        return proxy.map(through -> through.socks()
                ? through.user()
                        .map(user -> new Socks5ProxyHandler(address, user, through.password()))
                        .orElseGet(() -> new Socks5ProxyHandler(address))
                : through.user()
                        .map(user -> new HttpProxyHandler(address, user, through.password()))
                        .orElseGet(() -> new HttpProxyHandler(address)));
    }

    /** For sentences about the server: the URL, and the proxy if there is one. */
    String who() {
        return server.url()
                + proxy.map(through -> " (by way of " + through + ")").orElse("");
    }
}
