package io.dualstackd.dns.io;

import io.dualstackd.dns.forward.ForwardKey;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.forward.NameserverOrder;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsReply;
import io.dualstackd.dns.message.Edns;
import io.dualstackd.dns.message.MessageReader;
import io.dualstackd.dns.message.MessageWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one question to other resolvers, one after the other, until one answers. Each attempt has a socket of its own, whose port the
 * kernel chooses at random, and a random id; the socket is connected, so that the kernel drops packets from other addresses.
 *
 * <p>A truncated answer is requested again over TCP. If no resolver gives a complete one, the truncated answer is the result.
 */
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger("dns");

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int LENGTH_BYTES = 2;

    /** The largest code that fits into a header. */
    private static final int LARGEST_PLAIN_CODE = 15;

    /** Resolvers that one question tries; others come first for the next one. Clients do not wait longer than for these. */
    private static final int MOST_ATTEMPTS = 6;

    /** Receives the result. */
    @FunctionalInterface
    interface Result {
        /** @param bytes size of the answer's message, or 0 when no resolver gave a complete answer */
        void accept(DnsAnswer answer, int bytes);
    }

    private final DnsLoop loop;
    private final ForwardSettings settings;
    private final NameserverOrder order;
    private final LongSupplier nanos;
    private final ForwardKey key;
    private final Result result;
    private final Deque<Nameserver> attempts = new ArrayDeque<>();
    private DnsResponseCode lastCode = DnsResponseCode.SERVFAIL;
    /** The last one that was truncated. */
    private @Nullable DnsAnswer truncated;

    private @Nullable Channel channel;
    private @Nullable Future<?> timeout;
    /** Whether the attempt is over TCP: the resolver has answered over UDP just before. */
    private boolean overTcp;

    /** Counts attempts, so that late packets of earlier ones are ignored. */
    private int attempt;

    Exchange(
            DnsLoop loop,
            ForwardSettings settings,
            NameserverOrder order,
            LongSupplier nanos,
            ForwardKey key,
            Result result) {
        this.loop = loop;
        this.settings = settings;
        this.order = order;
        this.nanos = nanos;
        this.key = key;
        this.result = result;
    }

    void begin() {
        for (int i = 0; i < settings.rounds(); i++) {
            attempts.addAll(order.at(nanos.getAsLong()));
        }
        while (attempts.size() > MOST_ATTEMPTS) {
            attempts.removeLast();
        }
        next();
    }

    private void next() {
        end();
        Nameserver server = attempts.poll();
        if (server == null) {
            result.accept(truncated == null ? DnsAnswer.failure(lastCode) : truncated, 0);
        } else {
            query(server, false, true);
        }
    }

    private void query(Nameserver server, boolean tcp, boolean extended) {
        int number = ++attempt;
        overTcp = tcp;
        long begun = nanos.getAsLong();
        timeout = loop.schedule(() -> silenceCheck(server, number, begun), settings.timeout());
        InetSocketAddress address;
        try {
            address = address(server);
        } catch (UnknownHostException e) {
            LOG.debug("no such resolver server={}", server, e);
            unreachable(server, number);
            return;
        }
        int id = RANDOM.nextInt(1 << 16);
        Optional<Edns> edns =
                extended ? Optional.of(new Edns(MessageWriter.UDP_BYTES, key.dnssecOk())) : Optional.empty();
        byte[] query = MessageWriter.query(id, key.question(), edns, key.checkingDisabled());
        Answers answers = new Answers(server, number, id, tcp, extended);
        ChannelFuture connecting = tcp
                ? loop.tcp(settings.timeout())
                        .handler(new ChannelInitializer<Channel>() {
                            @Override
                            protected void initChannel(Channel fresh) {
                                fresh.pipeline()
                                        .addLast(
                                                new LengthFieldBasedFrameDecoder(
                                                        MessageWriter.MAX_BYTES + LENGTH_BYTES,
                                                        0,
                                                        LENGTH_BYTES,
                                                        0,
                                                        LENGTH_BYTES),
                                                answers);
                            }
                        })
                        .connect(address)
                : loop.udp(address.getAddress(), false).handler(answers).connect(address);
        if (!connecting.channel().isOpen()) {
            // For lack of file descriptors: what has no socket cannot be closed, and its listeners run elsewhere.
            LOG.debug("no socket for a resolver server={}", server, connecting.cause());
            later();
            return;
        }
        channel = connecting.channel();
        loop.own(connecting.channel());
        var _ = connecting.addListener(done -> {
            if (number != attempt) {
                var _ = connecting.channel().close();
            } else if (done.isSuccess()) {
                ByteBuf message = tcp
                        ? Unpooled.wrappedBuffer(Unpooled.copyShort(query.length), Unpooled.wrappedBuffer(query))
                        : Unpooled.wrappedBuffer(query);
                var _ = connecting.channel().writeAndFlush(message);
            } else {
                LOG.debug("a resolver cannot be reached server={}", server, done.cause());
                if (done.cause() instanceof ConnectTimeoutException) {
                    dropIfOverTcp(server);
                }
                unreachable(server, number);
            }
        });
    }

    /** The given clock decides whether the time is over, as it does for everything else. */
    private void silenceCheck(Nameserver server, int number, long begun) {
        if (number != attempt) {
            return;
        }
        long now = nanos.getAsLong();
        long left = settings.timeout().toNanos() - (now - begun);
        if (left > 0) {
            timeout = loop.schedule(() -> silenceCheck(server, number, begun), Duration.ofNanos(left));
        } else {
            silent(server, now);
            dropIfOverTcp(server);
            next();
        }
    }

    private void silent(Nameserver server, long now) {
        if (!overTcp) {
            order.silent(server, now);
        }
    }

    /** Does not ask a resolver again that is silent over TCP: it would be so again, and clients do not wait that long. */
    private void dropIfOverTcp(Nameserver server) {
        if (overTcp) {
            attempts.removeIf(server::equals);
        }
    }

    private static InetSocketAddress address(Nameserver server) throws UnknownHostException {
        InetAddress plain = InetAddress.getByAddress(server.address().toBytes());
        // The text consists of digits and an interface name, so there is no name lookup.
        InetAddress address =
                server.zone().isEmpty() ? plain : InetAddress.getByName(plain.getHostAddress() + "%" + server.zone());
        return new InetSocketAddress(address, server.port());
    }

    private void unreachable(Nameserver server, int number) {
        if (number == attempt) {
            silent(server, nanos.getAsLong());
            later();
        }
    }

    /** Asynchronously: many resolvers may be unreachable, and each would add to the call stack. */
    private void later() {
        attempt++;
        loop.execute(this::next);
    }

    /** Receives the packets from one resolver. */
    private final class Answers extends ChannelInboundHandlerAdapter {
        private final Nameserver server;
        private final int number;
        private final int id;
        private final boolean tcp;
        private final boolean extended;

        Answers(Nameserver server, int number, int id, boolean tcp, boolean extended) {
            this.server = server;
            this.number = number;
            this.id = id;
            this.tcp = tcp;
            this.extended = extended;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                ByteBuf bytes = message instanceof DatagramPacket packet ? packet.content() : (ByteBuf) message;
                if (number == attempt) {
                    received(ByteBufUtil.getBytes(bytes));
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void received(byte[] bytes) {
            Optional<DnsReply> read = MessageReader.reply(bytes, bytes.length)
                    .filter(reply -> reply.id() == id
                            && reply.question().orElseGet(key::question).equals(key.question()));
            if (read.isEmpty()) {
                // Forged, or damaged: the real answer may still arrive.
                return;
            }
            DnsReply reply = read.get();
            order.answered(server);
            DnsResponseCode code = reply.answer().code();
            boolean answered = code.equals(DnsResponseCode.NOERROR) || code.equals(DnsResponseCode.NXDOMAIN);
            boolean cut = reply.answer().truncated();
            if (cut && !tcp) {
                truncated = answered ? reply.answer() : truncated;
                end();
                query(server, true, extended);
                return;
            }
            if (extended && (code.equals(DnsResponseCode.FORMERR) || code.equals(DnsResponseCode.NOTIMP))) {
                // RFC 6891, 6.2.2: the answer of a resolver that does not support EDNS.
                end();
                query(server, tcp, false);
                return;
            }
            if (cut || !answered) {
                // A code of more than four bits is about EDNS between us and the resolver; a client without EDNS would
                // read another.
                lastCode = cut || code.intValue() > LARGEST_PLAIN_CODE ? DnsResponseCode.SERVFAIL : code;
                next();
                return;
            }
            end();
            result.accept(reply.answer(), bytes.length);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            unreachable(server, number);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.debug("a resolver cannot be reached server={}", server, cause);
            loop.thrown(cause);
            unreachable(server, number);
        }
    }

    /** Ends the attempt. */
    private void end() {
        attempt++;
        if (timeout != null) {
            timeout.cancel(false);
        }
        if (channel != null) {
            var _ = channel.close();
        }
    }
}
