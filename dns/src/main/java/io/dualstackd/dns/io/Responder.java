package io.dualstackd.dns.io;

import io.dualstackd.dns.Zone;
import io.dualstackd.dns.ZoneAnswer;
import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsQuery;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.Edns;
import io.dualstackd.dns.message.MessageReader;
import io.dualstackd.dns.message.MessageWriter;
import io.dualstackd.dns.message.ReceivedQuery;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides how a message is answered: from the zone, by other resolvers, or not at all. */
final class Responder {
    private static final Logger LOG = LoggerFactory.getLogger("dns");

    private final Zone zone;
    private final Forwarder forwarder;
    private final Counters counters;

    Responder(Zone zone, Forwarder forwarder, Counters counters) {
        this.zone = zone;
        this.forwarder = forwarder;
        this.counters = counters;
    }

    /**
     * Answers a message, at once or later.
     *
     * @return false when the message is not answered
     */
    boolean respond(byte[] message, InetAddress client, boolean udp, Consumer<byte[]> reply) {
        return switch (MessageReader.query(message, message.length)) {
            case ReceivedQuery.Ignored() -> {
                counters.ignored++;
                yield false;
            }
            case ReceivedQuery.Refused refused -> {
                counters.refused++;
                counters.answered(refused.code());
                reply.accept(MessageWriter.refusal(refused, forwarder.isUsable()));
                yield true;
            }
            case ReceivedQuery.Valid(DnsQuery query) -> {
                Consumer<DnsAnswer> send = answer -> reply.accept(message(query, answer, udp));
                try {
                    answer(query, client, send);
                } catch (RuntimeException e) {
                    counters.errors++;
                    LOG.error(
                            "no answer to a query query=\"{} {}\"",
                            query.question().name(),
                            query.question().type(),
                            e);
                    send.accept(DnsAnswer.failure(DnsResponseCode.SERVFAIL));
                }
                yield true;
            }
        };
    }

    private byte[] message(DnsQuery query, DnsAnswer found, boolean udp) {
        // Over TCP a client has no way to ask for the rest, and takes what there is for all.
        DnsAnswer answer = found.truncated() && !udp ? DnsAnswer.failure(DnsResponseCode.SERVFAIL) : found;
        counters.answered(answer.code());
        int limit = udp ? udpLimit(query) : MessageWriter.MAX_BYTES;
        byte[] bytes = MessageWriter.answer(query, answer, forwarder.isUsable(), limit);
        if (MessageWriter.isTruncated(bytes)) {
            counters.truncated++;
        }
        return bytes;
    }

    private static int udpLimit(DnsQuery query) {
        int offered = query.edns().map(Edns::payload).orElse(MessageWriter.PLAIN_UDP_BYTES);
        return Math.clamp(offered, MessageWriter.PLAIN_UDP_BYTES, MessageWriter.UDP_BYTES);
    }

    private void answer(DnsQuery query, InetAddress client, Consumer<DnsAnswer> to) {
        boolean mayAsk = query.recursionDesired() && forwarder.isUsable();
        switch (zone.answer(query.question(), query.id())) {
            case ZoneAnswer.Known(DnsAnswer answer) -> to.accept(answer);
            case ZoneAnswer.NotReady() -> to.accept(DnsAnswer.failure(DnsResponseCode.SERVFAIL));
            case ZoneAnswer.NotOurs() -> {
                if (mayAsk) {
                    forwarder.forward(query, query.question(), client, to);
                } else {
                    to.accept(DnsAnswer.failure(DnsResponseCode.REFUSED));
                }
            }
            case ZoneAnswer.Alias alias -> {
                if (mayAsk) {
                    DnsQuestion target =
                            new DnsQuestion(alias.target(), query.question().type());
                    forwarder.forward(query, target, client, found -> to.accept(Zone.joined(alias, found)));
                } else {
                    to.accept(
                            new DnsAnswer(DnsResponseCode.NOERROR, true, false, alias.aliases(), List.of(), List.of()));
                }
            }
        }
    }
}
