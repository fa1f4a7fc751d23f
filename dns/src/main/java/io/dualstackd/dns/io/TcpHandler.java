package io.dualstackd.dns.io;

import io.dualstackd.dns.forward.Shares;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles questions over one TCP connection. Several may be under way; each is answered as soon as its answer is there (RFC 7766). A
 * connection without a question is closed after a while, and so is one whose client does not read. A client that has ended its own
 * direction still gets the answers to what it asked.
 */
final class TcpHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger("dns");

    private final DnsLoop loop;
    private final Responder responder;
    private final AdmittedClients clients;
    private final Shares<InetAddress> connections;
    private final Duration idle;
    private final LongSupplier nanos;
    private final Counters counters;
    private @Nullable InetAddress client;
    private @Nullable Future<?> idleCheck;
    /** Questions that are answered once the client has read earlier answers: no more than one read has, as there is none meanwhile. */
    private final Queue<byte[]> waiting = new ArrayDeque<>();

    private boolean answering;
    private int underway;
    private boolean ended;
    private long last;

    TcpHandler(
            DnsLoop loop,
            Responder responder,
            AdmittedClients clients,
            Shares<InetAddress> connections,
            Duration idle,
            LongSupplier nanos,
            Counters counters) {
        this.loop = loop;
        this.responder = responder;
        this.clients = clients;
        this.connections = connections;
        this.idle = idle;
        this.nanos = nanos;
        this.counters = counters;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (context.channel().remoteAddress() instanceof InetSocketAddress remote
                && !clients.contains(remote.getAddress())) {
            counters.foreign++;
            var _ = context.close();
            return;
        }
        if (!(context.channel().remoteAddress() instanceof InetSocketAddress remote)
                || connections.take(remote.getAddress()) != Shares.Outcome.GRANTED) {
            counters.overLimit++;
            var _ = context.close();
            return;
        }
        client = remote.getAddress();
        loop.own(context.channel());
        last = nanos.getAsLong();
        idleCheck = loop.schedule(() -> idleCheck(context), idle);
    }

    private void idleCheck(ChannelHandlerContext context) {
        long left = idle.toNanos() - (nanos.getAsLong() - last);
        if (left > 0 || underway > 0) {
            idleCheck = loop.schedule(() -> idleCheck(context), left > 0 ? Duration.ofNanos(left) : idle);
        } else {
            var _ = context.close();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        waiting.add(ByteBufUtil.getBytes(message));
        answerWaiting(context);
    }

    private void answerWaiting(ChannelHandlerContext context) {
        if (answering) {
            // Called by Netty while an answer is sent; the loop goes on behind it.
            return;
        }
        answering = true;
        try {
            while (context.channel().isWritable() && !waiting.isEmpty()) {
                answer(context, waiting.remove());
            }
        } finally {
            answering = false;
        }
    }

    private void answer(ChannelHandlerContext context, byte[] message) {
        InetAddress from = client;
        if (from == null) {
            return;
        }
        counters.tcpQueries++;
        last = nanos.getAsLong();
        underway++;
        if (!responder.respond(message, from, false, bytes -> send(context, bytes))) {
            underway--;
            waiting.clear();
            var _ = context.close();
        }
    }

    private void send(ChannelHandlerContext context, byte[] bytes) {
        underway--;
        last = nanos.getAsLong();
        var _ = context.writeAndFlush(
                Unpooled.wrappedBuffer(Unpooled.copyShort(bytes.length), Unpooled.wrappedBuffer(bytes)));
        closeAtEnd(context);
    }

    /** The client sends no more questions. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ended = true;
            closeAtEnd(context);
        }
    }

    /** Closes the connection when its client has every answer and sends no more questions. */
    private void closeAtEnd(ChannelHandlerContext context) {
        if (ended && underway == 0 && waiting.isEmpty()) {
            var _ = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Reading from a client stops while it does not read its answers. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
        answerWaiting(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        waiting.clear();
        if (idleCheck != null) {
            idleCheck.cancel(false);
        }
        if (client != null) {
            connections.giveBack(client);
            client = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("error on a TCP connection client={}", context.channel().remoteAddress(), cause);
        loop.thrown(cause);
        var _ = context.close();
    }
}
