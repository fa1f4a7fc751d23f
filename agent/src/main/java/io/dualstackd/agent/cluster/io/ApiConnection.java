package io.dualstackd.agent.cluster.io;

import io.dualstackd.agent.component.io.LibraryErrors;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the server, for one question at a time; kept between questions and made anew when needed. Only used on the thread
 * {@code api}.
 */
final class ApiConnection {
    private static final String AGENT = "dualstackd";

    private final Dialer dialer;
    private @Nullable Channel channel;
    private @Nullable Exchange current;
    /** The next of several addresses of the server's name. */
    private int attempt;

    ApiConnection(Dialer dialer) {
        this.dialer = dialer;
    }

    /** Asks. The one before must be over. */
    void ask(Question question, AnswerListener listener) {
        ask(new Exchange(question, listener));
    }

    private void ask(Exchange exchange) {
        current = exchange;
        exchange.expect(exchange.question.firstByte());
        Channel open = channel;
        boolean connected = open != null && open.isActive();
        dialer.prepare(!connected, prepared -> {
            if (current != exchange) {
                return;
            }
            switch (prepared) {
                case Dialer.Prepared.Not(String why) -> exchange.fail(why);
                case Dialer.Prepared.Ready ready -> {
                    if (connected && open != null && open.isActive()) {
                        exchange.reused = true;
                        send(open, exchange, ready.authorization());
                    } else if (ready.addresses().isEmpty()) {
                        ask(exchange);
                    } else {
                        connect(exchange, ready);
                    }
                }
            }
        });
    }

    /** From now on so long nothing may come of the answer that is being read. */
    void mayBeSilent(Duration longest) {
        if (current != null) {
            current.quiet = longest;
            current.expect(longest);
        }
    }

    /** Hangs up, and tells nobody. */
    void close() {
        Exchange over = current;
        current = null;
        if (over != null) {
            over.stopClock();
        }
        Channel open = channel;
        channel = null;
        if (open != null) {
            var _ = open.close();
        }
    }

    private void connect(Exchange exchange, Dialer.Prepared.Ready ready) {
        List<InetSocketAddress> addresses = ready.addresses();
        InetSocketAddress address = addresses.get(Math.floorMod(attempt++, addresses.size()));
        Answers answers = new Answers();
        ChannelFuture registering = dialer.dial(ready.tls(), answers).register();
        Channel dialed = registering.channel();
        channel = dialed;
        exchange.authorization = ready.authorization();
        registering.addListener(registered -> {
            if (registered.isSuccess()) {
                dialer.proxyAt(address).ifPresent(proxy -> dialed.pipeline().addFirst(proxy));
                var _ = dialed.connect(dialer.behindProxy().orElse(address)).addListener(connected -> {
                    if (!connected.isSuccess()) {
                        answers.broken(dialed, connected.cause());
                    }
                });
            } else {
                answers.broken(dialed, registered.cause());
            }
        });
    }

    private void ready(Channel open) {
        Exchange exchange = current;
        if (exchange != null && open.equals(channel)) {
            send(open, exchange, exchange.authorization);
        }
    }

    private void send(Channel open, Exchange exchange, Optional<String> authorization) {
        Question question = exchange.question;
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.valueOf(question.method()),
                dialer.server().path() + question.target(),
                question.body()
                        .map(body -> Unpooled.copiedBuffer(body.text(), StandardCharsets.UTF_8))
                        .orElse(Unpooled.EMPTY_BUFFER));
        request.headers()
                .set(HttpHeaderNames.HOST, dialer.server().authority())
                .set(HttpHeaderNames.ACCEPT, question.accept())
                .set(HttpHeaderNames.USER_AGENT, AGENT);
        question.body()
                .ifPresent(body -> request.headers()
                        .set(HttpHeaderNames.CONTENT_TYPE, body.contentType())
                        .setInt(
                                HttpHeaderNames.CONTENT_LENGTH,
                                request.content().readableBytes()));
        authorization.ifPresent(who -> request.headers().set(HttpHeaderNames.AUTHORIZATION, who));
        // That it cannot be sent is told by the end of the connection.
        var _ = open.writeAndFlush(request);
    }

    /** A question on its way. */
    private final class Exchange {
        private final Question question;
        private final AnswerListener listener;
        private Optional<String> authorization = Optional.empty();
        private final long asked = System.nanoTime();
        private boolean reused;
        private boolean begun;
        private boolean keep;
        private long deadline;
        private Duration silence = Duration.ZERO;
        private Duration quiet;
        private @Nullable ScheduledFuture<?> clock;

        private Exchange(Question question, AnswerListener listener) {
            this.question = question;
            this.listener = listener;
            this.quiet = question.silence();
        }

        /** Something must come within this time. */
        private void expect(Duration within) {
            silence = within;
            deadline = System.nanoTime() + within.toNanos();
            if (clock == null) {
                wake(within.toNanos());
            }
        }

        private void wake(long nanos) {
            clock = dialer.loop().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
        }

        /** One timer for all pieces of an answer: it looks whether time has run out, and comes again if not. */
        private void look() {
            long left = deadline - System.nanoTime();
            if (current != this) {
                return;
            }
            if (left > 0) {
                wake(left);
            } else {
                fail(dialer.who() + (begun ? " has said nothing for " : " does not answer within ")
                        + silence.toSeconds() + " s");
            }
        }

        private void stopClock() {
            if (clock != null) {
                clock.cancel(false);
            }
        }

        private void fail(String why) {
            close();
            failed(why);
        }

        private void failed(String why) {
            if (!begun) {
                dialer.observer().unanswered(question.method());
            }
            listener.failed(begun, why);
        }

        private void head(HttpResponse head) {
            begun = true;
            keep = HttpUtil.isKeepAlive(head);
            dialer.observer().answered(question.method(), head.status().code());
            listener.head(
                    head.status().code(),
                    head.headers().get(HttpHeaderNames.CONTENT_TYPE, ""),
                    head.headers().get(HttpHeaderNames.RETRY_AFTER, ""));
        }

        private void over() {
            stopClock();
            current = null;
            Channel open = channel;
            if (!keep && open != null) {
                channel = null;
                var _ = open.close();
            }
            if (!question.watch()) {
                dialer.observer().took(question.method(), System.nanoTime() - asked);
            }
            listener.end();
        }
    }

    /** The end of the pipeline: gives each piece to who asked. */
    private final class Answers extends SimpleChannelInboundHandler<HttpObject> {
        private String lastFault = "";

        @Override
        public void channelActive(ChannelHandlerContext context) {
            SslHandler tls = context.pipeline().get(SslHandler.class);
            if (tls == null) {
                ready(context.channel());
                return;
            }
            var _ = tls.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    ready(context.channel());
                } else {
                    broken(context.channel(), done.cause());
                }
            });
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            Exchange exchange = current;
            if (exchange == null || !context.channel().equals(channel)) {
                return;
            }
            if (part.decoderResult().isFailure()) {
                exchange.fail(dialer.who() + " does not speak HTTP/1.1: "
                        + part.decoderResult().cause().getMessage());
                return;
            }
            exchange.expect(exchange.quiet);
            if (part instanceof HttpResponse head) {
                exchange.head(head);
            }
            if (part instanceof HttpContent piece && current == exchange) {
                if (piece.content().isReadable()) {
                    exchange.listener.bytes(piece.content());
                }
                if (part instanceof LastHttpContent && current == exchange) {
                    exchange.over();
                }
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            Exchange exchange = current;
            if (exchange != null && context.channel().equals(channel)) {
                exchange.listener.pause();
            }
            context.fireChannelReadComplete();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LibraryErrors.check(cause);
            lastFault = Faults.words(cause);
            broken(context.channel(), cause);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            broken(context.channel(), null);
        }

        @Override
        public void channelUnregistered(ChannelHandlerContext context) {
            broken(context.channel(), null);
        }

        private void broken(Channel which, @Nullable Throwable cause) {
            if (!which.equals(channel)) {
                return;
            }
            Exchange exchange = current;
            close();
            if (exchange == null) {
                return;
            }
            if (exchange.reused && !exchange.begun && exchange.question.isRepeatable()) {
                // It was hung up while we thought of the next question.
                exchange.reused = false;
                exchange.clock = null;
                ask(exchange);
                return;
            }
            String what = cause != null ? Faults.words(cause) : lastFault;
            exchange.failed(
                    what.isEmpty() ? dialer.who() + " hung up" : "no connection with " + dialer.who() + ": " + what);
        }
    }
}
