package io.dualstackd.kubeapi.client.io;

import io.dualstackd.supervision.io.LibraryErrors;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the server, for one request at a time; kept between requests and opened again when needed. Only used on the thread
 * {@code api}.
 */
final class ApiConnection {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private final Dialer dialer;
    /** The only address to connect to; empty: any address of the server's name. */
    private final Optional<InetSocketAddress> only;

    private @Nullable Channel channel;
    private Optional<Dialer.MadeWith> madeWith = Optional.empty();
    private @Nullable InetSocketAddress peer;
    /** Also read by the thread {@code api-access}. */
    private volatile @Nullable Exchange current;

    /** The one of several addresses of the server's name that is tried next: the one that answered last, until it fails. */
    private int attempt;

    /** The one of them that the connection was made with. */
    private int place;

    /** Of the last request that was prepared, as in {@link Dialer.Prepared.Ready}. */
    private int refusals;

    ApiConnection(Dialer dialer) {
        this(dialer, Optional.empty());
    }

    /** @param only the address to connect to, in place of those of the server's name; empty for any */
    ApiConnection(Dialer dialer, Optional<InetSocketAddress> only) {
        this.dialer = dialer;
        this.only = only;
    }

    /**
     * A pending response.
     *
     * @param peer address of the server, or of the proxy
     * @param lastContact {@link System#nanoTime} when bytes last arrived on this connection, or when it was begun
     */
    record Waiting(InetSocketAddress peer, long lastContact) {}

    /** Sends a request. The previous one must be over. In any case, {@code listener} is notified of exactly one end. */
    void send(ApiRequest apiRequest, ResponseListener listener) {
        send(new Exchange(apiRequest, listener));
    }

    private void send(Exchange exchange) {
        current = exchange;
        exchange.prepared = false;
        exchange.guarded(() -> {
            exchange.timer.expect(exchange.apiRequest.firstByte());
            Channel open = channel;
            boolean connected = open != null && open.isActive();
            dialer.prepare(
                    only,
                    connected ? madeWith : Optional.empty(),
                    () -> current == exchange,
                    prepared -> exchange.guarded(() -> prepared(exchange, prepared)));
        });
    }

    private void prepared(Exchange exchange, Dialer.Prepared prepared) {
        switch (prepared) {
            case Dialer.Prepared.Not(String why) -> exchange.fail(why);
            case Dialer.Prepared.Ready ready -> {
                exchange.prepared = true;
                refusals = ready.refusals();
                exchange.timer.expect(exchange.apiRequest.firstByte());
                Channel open = channel;
                if (!ready.addresses().isEmpty()) {
                    closeChannel();
                    connect(exchange, ready);
                } else if (open != null && open.isActive()) {
                    exchange.reused = true;
                    send(open, exchange, ready.authorization());
                } else {
                    send(exchange);
                }
            }
        }
    }

    /** From now on, the current response may be silent for this long. */
    void mayBeSilent(Duration longest) {
        if (current != null) {
            current.quiet = longest;
            current.timer.expect(longest);
        }
    }

    /** Whether a response is pending. */
    boolean isBusy() {
        return current != null;
    }

    /** The pending response, once a connection is being made for it. */
    Optional<Waiting> waiting() {
        InetSocketAddress to = peer;
        return current == null || channel == null || to == null
                ? Optional.empty()
                : Optional.of(new Waiting(to, current.lastContact));
    }

    /** Ends the pending response: the server hangs. */
    void hung(String why) {
        if (current != null) {
            current.fail(why);
        }
    }

    /** The server rejected the credentials of the last request, one of which may be a certificate, which is sent when a connection is made. */
    void refused() {
        dialer.refused(refusals);
        close();
    }

    /** Closes the connection without notifying the listener. */
    void close() {
        Exchange over = current;
        current = null;
        if (over != null) {
            over.timer.stop();
        }
        closeChannel();
    }

    private void closeChannel() {
        Channel open = channel;
        channel = null;
        madeWith = Optional.empty();
        if (open != null && open.isRegistered()) {
            var _ = open.close();
        }
    }

    private void connect(Exchange exchange, Dialer.Prepared.Ready ready) {
        exchange.authorization = ready.authorization();
        exchange.untried = ready.addresses().size();
        connectNext(exchange, ready);
    }

    private void connectNext(Exchange exchange, Dialer.Prepared.Ready ready) {
        exchange.untried--;
        List<InetSocketAddress> addresses = ready.addresses();
        place = attempt;
        attempt++;
        InetSocketAddress address = addresses.get(Math.floorMod(place, addresses.size()));
        exchange.lastContact = nanoTime();
        peer = address;
        ChannelFuture registering =
                dialer.dial(ready.tls(), new ResponseHandler()).register();
        if (registering.isDone() && !registering.isSuccess()) {
            // Without file descriptors there is no channel: Netty's substitute has neither thread nor pipeline.
            exchange.fail(noConnection(registering.cause()));
            return;
        }
        Channel dialed = registering.channel();
        channel = dialed;
        madeWith = Optional.of(new Dialer.MadeWith(ready.tls()));
        registering.addListener(registered -> exchange.guarded(() -> {
            if (registered.isSuccess()) {
                dialer.proxyAt(address).ifPresent(proxy -> dialed.pipeline().addFirst(proxy));
                var _ = dialed.connect(dialer.target(address)).addListener(connected -> {
                    if (connected.isSuccess()) {
                        return;
                    }
                    if (current == exchange && dialed.equals(channel) && exchange.untried > 0) {
                        // As in other programs, a name is reachable when one of its addresses is.
                        closeChannel();
                        exchange.guarded(() -> connectNext(exchange, ready));
                    } else {
                        broken(dialed, connected.cause());
                    }
                });
            } else {
                broken(dialed, registered.cause());
            }
        }));
    }

    private long nanoTime() {
        return dialer.loop().platform().nanoTime();
    }

    private String noConnection(@Nullable Throwable cause) {
        return "no connection with " + dialer.serverName() + ": "
                + (cause == null ? "for no reason" : ConnectionErrors.words(cause));
    }

    /** The channel can be used. */
    private void connected(Channel open) {
        Exchange exchange = current;
        if (exchange != null && open.equals(channel)) {
            dialer.onBytes();
            exchange.lastContact = nanoTime();
            exchange.guarded(() -> send(open, exchange, exchange.authorization));
        }
    }

    /** A part of a response arrived. */
    private void received(Channel from, HttpObject part) {
        if (!from.equals(channel)) {
            return;
        }
        Exchange exchange = current;
        dialer.onBytes();
        if (exchange == null || !exchange.prepared) {
            // Nothing was asked, so the next response might be that to another request.
            closeChannel();
        } else {
            exchange.guarded(() -> exchange.read(part));
        }
    }

    /** There is nothing more to read for the moment. */
    private void paused(Channel from) {
        Exchange exchange = current;
        if (exchange != null && from.equals(channel)) {
            exchange.guarded(exchange.listener::pause);
        }
    }

    /** The channel cannot be used any more. */
    private void broken(Channel which, @Nullable Throwable cause) {
        if (!which.equals(channel)) {
            return;
        }
        Exchange exchange = current;
        if (exchange == null) {
            close();
        } else if (!exchange.prepared) {
            // The connection was closed before the next request was sent, which makes another one.
            closeChannel();
        } else if (exchange.reused && !exchange.begun && exchange.apiRequest.isRepeatable()) {
            // The connection was closed while the next request was on its way.
            close();
            exchange.reused = false;
            send(exchange);
        } else if (cause == null) {
            exchange.fail(dialer.serverName() + " hung up");
        } else if (ConnectionErrors.isTimeout(cause)) {
            exchange.silent(noConnection(cause));
        } else {
            exchange.fail(noConnection(cause));
        }
    }

    private void send(Channel open, Exchange exchange, Optional<String> authorization) {
        FullHttpRequest request = exchange.apiRequest.toHttp(dialer.server());
        authorization.ifPresent(value -> request.headers().set(HttpHeaderNames.AUTHORIZATION, value));
        var _ = open.writeAndFlush(request).addListener(sent -> {
            if (!sent.isSuccess() && current == exchange && open.equals(channel) && open.isActive()) {
                exchange.fail(noConnection(sent.cause()));
            }
        });
    }

    /** A request in progress. */
    private final class Exchange {
        private final ApiRequest apiRequest;
        private final ResponseListener listener;
        private Optional<String> authorization = Optional.empty();
        private final long asked = nanoTime();
        /** Credentials and addresses are known. Before, silence shows nothing about the server. */
        private boolean prepared;

        private boolean reused;
        /** Addresses of the server's name to which no connection has been tried. */
        private int untried;

        private boolean begun;
        /** The response that is being read is not the one that counts. */
        private boolean informational;

        /** The response is an error: all of it must arrive in time, or one that never ends would never be reported. */
        private boolean refused;

        private boolean keep;
        private long lastContact = asked;
        private Duration quiet;
        private final SilenceTimer timer;

        private Exchange(ApiRequest apiRequest, ResponseListener listener) {
            this.apiRequest = apiRequest;
            this.listener = listener;
            this.quiet = apiRequest.silence();
            this.timer = new SilenceTimer(dialer.loop(), this::expired);
        }

        private void expired() {
            String server = dialer.serverName();
            if (refused) {
                fail(server + " has not ended its error within " + limitSeconds() + " s");
            } else if (prepared) {
                silent(server + (begun ? " has sent nothing for " : " does not answer within ") + limitSeconds()
                        + " s");
            } else {
                fail("cannot ask " + server + ": reading credentials or looking up its name takes longer than "
                        + limitSeconds() + " s");
            }
        }

        /** Runs a step of this request, if it is still in progress; an exception ends it. */
        private void guarded(Runnable step) {
            if (current != this) {
                return;
            }
            try {
                step.run();
            } catch (RuntimeException e) {
                LOG.error("error in a request to the API server request=\"{}\"", apiRequest.target(), e);
                fail("an error while asking " + dialer.serverName() + ": " + e);
            } catch (Error e) {
                fail("an error while asking " + dialer.serverName() + ": " + e);
                ApiLoop.uncaught(e);
            }
        }

        /** Ends the request with a failure, unless it is over already. */
        private void fail(String why) {
            fail(() -> listener.failed(begun, why));
        }

        private long limitSeconds() {
            return timer.limit().toSeconds();
        }

        /** Ends the request because time has run out. */
        private void silent(String why) {
            fail(() -> listener.silent(begun, why));
        }

        private void fail(Runnable callback) {
            if (current != this) {
                return;
            }
            if (prepared) {
                close();
                attempt = place + 1;
            } else {
                // Nothing was sent: an open connection is as good as before.
                current = null;
                timer.stop();
            }
            if (!begun) {
                notifyCaller(() -> dialer.observer().unanswered(apiRequest.method()));
            }
            notifyCaller(callback);
        }

        /** Notifies the listener of an end: when that throws, there is nothing left to end. */
        private void notifyCaller(Runnable callback) {
            try {
                callback.run();
            } catch (RuntimeException e) {
                LOG.error("error after a response of the API server request=\"{}\"", apiRequest.target(), e);
            } catch (Error e) {
                ApiLoop.uncaught(e);
            }
        }

        private void read(HttpObject part) {
            if (part.decoderResult().isFailure()) {
                fail(dialer.serverName() + " does not speak HTTP/1.1: "
                        + part.decoderResult().cause().getMessage());
                return;
            }
            lastContact = nanoTime();
            if (part instanceof HttpResponse head) {
                informational = isInformational(head);
            }
            if (informational) {
                return;
            }
            if (!refused) {
                timer.expect(quiet);
            }
            if (part instanceof HttpResponse head) {
                head(head);
            }
            if (part instanceof HttpContent piece && current == this) {
                if (piece.content().isReadable()) {
                    listener.bytes(piece.content());
                }
                if (part instanceof LastHttpContent && current == this) {
                    over();
                }
            }
        }

        /** Whether another response to the same request follows. */
        private static boolean isInformational(HttpResponse head) {
            return head.status().codeClass() == HttpStatusClass.INFORMATIONAL
                    && !head.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
        }

        private void head(HttpResponse head) {
            begun = true;
            boolean fails = head.status().codeClass() == HttpStatusClass.SERVER_ERROR;
            // The next request tries another address, or another server behind the same one.
            keep = HttpUtil.isKeepAlive(head) && !fails;
            if (!fails) {
                attempt = place;
            }
            if (head.status().codeClass() != HttpStatusClass.SUCCESS) {
                refused = true;
                timer.expect(apiRequest.firstByte());
            }
            dialer.observer().answered(apiRequest.method(), head.status().code());
            listener.head(
                    head.status().code(),
                    head.headers().get(HttpHeaderNames.CONTENT_TYPE, ""),
                    head.headers().get(HttpHeaderNames.RETRY_AFTER, ""));
        }

        private void over() {
            timer.stop();
            current = null;
            if (!keep) {
                closeChannel();
            }
            if (!apiRequest.watch()) {
                notifyCaller(() -> dialer.observer().took(apiRequest.method(), nanoTime() - asked));
            }
            notifyCaller(listener::end);
        }
    }

    /** The end of a channel's pipeline: passes on what arrives, and what breaks the channel. */
    private final class ResponseHandler extends SimpleChannelInboundHandler<HttpObject> {
        private @Nullable Throwable lastFault;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            SslHandler tls = context.pipeline().get(SslHandler.class);
            if (tls == null) {
                connected(context.channel());
                return;
            }
            var _ = tls.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    connected(context.channel());
                } else {
                    dialer.onUntrustedCertificate();
                    broken(context.channel(), done.cause());
                }
            });
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            received(context.channel(), part);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            paused(context.channel());
            context.fireChannelReadComplete();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LibraryErrors.check(cause);
            lastFault = cause;
            broken(context.channel(), cause);
            if (cause instanceof Error error) {
                ApiLoop.uncaught(error);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            broken(context.channel(), lastFault);
        }

        @Override
        public void channelUnregistered(ChannelHandlerContext context) {
            broken(context.channel(), lastFault);
        }
    }
}
