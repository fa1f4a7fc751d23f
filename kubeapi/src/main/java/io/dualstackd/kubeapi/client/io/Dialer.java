package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.Proxy;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.RequestObserver;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
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
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a connection to the server is made, and who we say we are. Shared by all connections. */
final class Dialer {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");
    private static final int LONGEST_LINE = 8 << 10;
    private static final int LONGEST_HEAD = 32 << 10;
    private static final int PIECE = 64 << 10;

    private final ClusterAccess server;
    private final Credentials credentials;
    private final Optional<Proxy> proxy;
    private final ApiLoop loop;
    private final Tls tls;
    private final RequestObserver observer;
    private volatile long lastContact;
    private volatile boolean contacted;

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

    /** How a connection was encrypted when it was made; one made with certificates that have been replaced is not used again. */
    record MadeWith(Optional<SslContext> context) {}

    /** What had to be found out before. */
    sealed interface Prepared {
        /**
         * @param authorization for the header
         * @param addresses where the server (or the proxy) is; empty when the open connection is good
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

    ApiLoop loop() {
        return loop;
    }

    String tlsName() {
        return tls.name();
    }

    /** The server was not believed. */
    void doubted() {
        tls.doubt();
    }

    /** The credentials were not accepted: nothing remembered may be shown again. */
    void refused() {
        try {
            loop.access().execute(credentials::refused);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            LOG.warn("credentials cannot be read again now server={} error=\"{}\"", server.url(), e.getMessage());
        }
    }

    /** Bytes came from the server. */
    void heard() {
        lastContact = System.nanoTime();
        contacted = true;
    }

    /** {@link System#nanoTime} when bytes came from the server last, on any connection; empty before the first. Any thread may ask. */
    OptionalLong lastContact() {
        return contacted ? OptionalLong.of(lastContact) : OptionalLong.empty();
    }

    /**
     * Finds out what takes time, on the thread {@code api-access}.
     *
     * @param madeWith how the open connection is encrypted; empty when there is none
     * @param to called on the event loop, exactly once
     */
    void prepare(Optional<MadeWith> madeWith, Consumer<Prepared> to) {
        try {
            loop.access().execute(() -> {
                Prepared prepared = new Prepared.Not("cannot ask " + server.url() + ": an error ended the attempt");
                try {
                    prepared = prepared(madeWith);
                } finally {
                    // Also after an Error, which ends the thread.
                    Prepared result = prepared;
                    loop.execute(() -> to.accept(result));
                }
            });
        } catch (RejectedExecutionException e) {
            to.accept(new Prepared.Not("the conversation with " + server.url() + " is over"));
        } catch (OutOfMemoryError e) {
            // The thread is not always there, and the system may be out of threads for a while.
            to.accept(new Prepared.Not("cannot ask " + server.url() + ": " + e.getMessage()));
        }
    }

    private Prepared prepared(Optional<MadeWith> madeWith) {
        try {
            Optional<String> authorization = credentials.authorization();
            Optional<SslContext> context = tls.context(credentials.certificate(), credentials.authorities());
            return madeWith.filter(made -> made.context().equals(context)).isPresent()
                    ? new Prepared.Ready(authorization, List.of(), context)
                    : new Prepared.Ready(authorization, addresses(), context);
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
