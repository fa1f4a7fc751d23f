package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.Proxy;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.RequestObserver;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.proxy.ProxyHandler;
import io.netty.handler.proxy.Socks5ProxyHandler;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes connections to the server, with their TLS settings and credentials. Shared by all connections. */
final class Dialer {
    /** Longer than a probe waits: Netty's own limit of 10 s would count as a refusal by the proxy, which is no sign of a hang. */
    private static final Duration PROXY_ANSWER = Duration.ofSeconds(20);

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
    private final Names names;
    /** How often credentials were rejected and dropped. */
    private final AtomicInteger refusals = new AtomicInteger();

    private volatile long lastContact;
    private volatile boolean contacted;

    /** Looks up a name, which may take minutes. */
    @FunctionalInterface
    interface Names {
        InetAddress[] find(String name) throws UnknownHostException;
    }

    /**
     * @param observer receives the outcome of every request
     * @throws IllegalArgumentException if the proxy cannot be used; the message gives the reason
     */
    Dialer(
            ClusterAccess server,
            Credentials credentials,
            Map<String, String> environment,
            ApiLoop loop,
            RequestObserver observer) {
        this(server, credentials, environment, loop, observer, InetAddress::getAllByName);
    }

    Dialer(
            ClusterAccess server,
            Credentials credentials,
            Map<String, String> environment,
            ApiLoop loop,
            RequestObserver observer,
            Names names) {
        this.names = names;
        this.server = server;
        this.credentials = credentials;
        this.proxy = Proxy.of(server, environment);
        this.loop = loop;
        this.tls = new Tls(server, SystemAuthorities.of(environment));
        this.observer = observer;
    }

    /** The TLS context a connection was made with; a connection whose certificates have been replaced is not used again. */
    record MadeWith(Optional<SslContext> context) {}

    /** The result of the blocking work before a request. */
    sealed interface Prepared {
        /**
         * @param authorization for the header
         * @param addresses of the server (or the proxy); empty when the open connection can be used
         * @param refusals how often credentials had been rejected when these were read
         */
        record Ready(
                Optional<String> authorization,
                List<InetSocketAddress> addresses,
                Optional<SslContext> tls,
                int refusals)
                implements Prepared {}

        /** The request cannot be made, with the reason. */
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

    /** The server's certificate was not trusted. */
    void onUntrustedCertificate() {
        tls.invalidate();
    }

    /**
     * The credentials of a request were rejected: cached ones must not be used again, unless they are newer. Requests of several connections
     * may be rejected together, and a plugin may take a second.
     *
     * @param known as in {@link Prepared.Ready}, of that request
     */
    void refused(int known) {
        try {
            loop.block(() -> {
                if (refusals.compareAndSet(known, known + 1)) {
                    credentials.refused();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            LOG.warn("credentials cannot be read again now server={} error=\"{}\"", server.url(), e.getMessage());
        }
    }

    /** Bytes arrived from the server. */
    void onBytes() {
        lastContact = loop.platform().nanoTime();
        contacted = true;
    }

    /** Returns {@link System#nanoTime} when bytes last arrived from the server, on any connection; empty before the first. Thread-safe. */
    OptionalLong lastContact() {
        return contacted ? OptionalLong.of(lastContact) : OptionalLong.empty();
    }

    /**
     * Does the blocking work, on the thread {@code api-access}.
     *
     * @param only the address to connect to; empty to look up the server's name
     * @param madeWith TLS context of the open connection; empty when there is none
     * @param wanted whether the result still matters; work that had to wait behind other work is skipped when it does not
     * @param to called on the event loop, exactly once, unless the work is skipped
     */
    void prepare(
            Optional<InetSocketAddress> only,
            Optional<MadeWith> madeWith,
            BooleanSupplier wanted,
            Consumer<Prepared> to) {
        try {
            loop.block(() -> {
                if (!wanted.getAsBoolean()) {
                    return;
                }
                Prepared prepared = new Prepared.Not("cannot ask " + server.url() + ": an error ended the attempt");
                try {
                    prepared = prepared(only, madeWith);
                } finally {
                    // Also after an Error, which ends the thread.
                    Prepared result = prepared;
                    loop.execute(() -> to.accept(result));
                }
            });
        } catch (RejectedExecutionException e) {
            to.accept(new Prepared.Not("the conversation with " + server.url() + " is over"));
        } catch (OutOfMemoryError e) {
            // The thread is started on demand, and the system may be out of threads for a while.
            to.accept(new Prepared.Not("cannot ask " + server.url() + ": " + e.getMessage()));
        }
    }

    private Prepared prepared(Optional<InetSocketAddress> only, Optional<MadeWith> madeWith) {
        try {
            int known = refusals.get();
            Optional<String> authorization = credentials.authorization();
            Optional<SslContext> context = tls.context(credentials.certificate(), credentials.authorities());
            if (madeWith.filter(made -> made.context().equals(context)).isPresent()) {
                return new Prepared.Ready(authorization, List.of(), context, known);
            }
            if (only.isPresent()) {
                return new Prepared.Ready(authorization, List.of(only.get()), context, known);
            }
            // Either of the two may take minutes.
            loop.goesOnBlocking();
            return new Prepared.Ready(authorization, addresses(), context, known);
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
        return Stream.of(names.find(place()))
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    /** Returns a bootstrap for a connection; {@code last} is the last handler of the pipeline, behind HTTP. */
    Bootstrap dial(Optional<SslContext> context, ChannelHandler last) {
        return loop.bootstrap().handler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
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

    /** Returns the address to connect a channel to, for a server or proxy at this address. */
    SocketAddress target(InetSocketAddress address) {
        return behindProxy().orElseGet(() -> loop.target(address));
    }

    /** The address to connect to through a proxy, unresolved; the proxy looks up names itself. */
    private Optional<SocketAddress> behindProxy() {
        return proxy.map(ignored -> InetSocketAddress.createUnresolved(server.host(), server.port()));
    }

    /** The first handler of the pipeline, when there is a proxy at this address. */
    Optional<ProxyHandler> proxyAt(InetSocketAddress address) {
        return proxy.map(through -> {
            ProxyHandler handler = through.socks()
                    ? through.user()
                            .map(user -> new Socks5ProxyHandler(address, user, through.password()))
                            .orElseGet(() -> new Socks5ProxyHandler(address))
                    : through.user()
                            .map(user -> new HttpProxyHandler(address, user, through.password()))
                            .orElseGet(() -> new HttpProxyHandler(address));
            handler.setConnectTimeoutMillis(PROXY_ANSWER.toMillis());
            return handler;
        });
    }

    /** The server's name for messages: the URL, and the proxy if there is one. */
    String serverName() {
        return server.url()
                + proxy.map(through -> " (by way of " + through + ")").orElse("");
    }
}
