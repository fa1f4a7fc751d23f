package io.dualstackd.dns.io;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles questions over UDP, of one socket. Answers to a batch of packets are sent together. */
final class UdpHandler extends SimpleChannelInboundHandler<DatagramPacket> {
    private static final Logger LOG = LoggerFactory.getLogger("dns");

    private final DnsLoop loop;
    private final Responder responder;
    private final AdmittedClients clients;
    private final Counters counters;
    private boolean reading;

    UdpHandler(DnsLoop loop, Responder responder, AdmittedClients clients, Counters counters) {
        this.loop = loop;
        this.responder = responder;
        this.clients = clients;
        this.counters = counters;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
        counters.udpQueries++;
        reading = true;
        InetSocketAddress client = packet.sender();
        if (!clients.contains(client.getAddress())) {
            counters.foreign++;
            return;
        }
        if (client.getPort() == 0) {
            counters.ignored++;
            return;
        }
        boolean ignored = responder.respond(
                ByteBufUtil.getBytes(packet.content()),
                client.getAddress(),
                true,
                bytes -> send(context, client, bytes));
    }

    private void send(ChannelHandlerContext context, InetSocketAddress client, byte[] bytes) {
        if (!context.channel().isWritable()) {
            // What waits may only be the answers to this batch.
            context.flush();
        }
        if (!context.channel().isWritable()) {
            counters.dropped++;
            return;
        }
        DatagramPacket answer = new DatagramPacket(Unpooled.wrappedBuffer(bytes), client);
        if (reading) {
            var _ = context.write(answer, context.voidPromise());
        } else {
            var _ = context.writeAndFlush(answer, context.voidPromise());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        context.flush();
    }

    /** An answer that could not be sent is lost, and the client repeats its question; the socket stays open. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        counters.dropped++;
        LOG.debug("error on a UDP socket address={}", context.channel().localAddress(), cause);
        loop.thrown(cause);
    }
}
