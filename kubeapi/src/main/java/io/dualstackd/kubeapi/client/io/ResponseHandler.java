package io.dualstackd.kubeapi.client.io;

import io.dualstackd.supervision.io.LibraryErrors;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/** The end of a channel's pipeline: passes on what arrives, and what breaks the channel. */
final class ResponseHandler extends SimpleChannelInboundHandler<HttpObject> {
    private final ApiConnection connection;
    private final Dialer dialer;
    private @Nullable Throwable lastFault;

    ResponseHandler(ApiConnection connection, Dialer dialer) {
        this.connection = connection;
        this.dialer = dialer;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (tls == null) {
            connection.connected(context.channel());
            return;
        }
        var _ = tls.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                connection.connected(context.channel());
            } else {
                dialer.onUntrustedCertificate();
                connection.broken(context.channel(), done.cause());
            }
        });
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        connection.received(context.channel(), part);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        connection.paused(context.channel());
        context.fireChannelReadComplete();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LibraryErrors.check(cause);
        lastFault = cause;
        connection.broken(context.channel(), cause);
        if (cause instanceof Error error) {
            ApiLoop.uncaught(error);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        connection.broken(context.channel(), lastFault);
    }

    @Override
    public void channelUnregistered(ChannelHandlerContext context) {
        connection.broken(context.channel(), lastFault);
    }
}
