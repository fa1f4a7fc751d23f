package io.dualstackd.dns.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.Zone;
import io.dualstackd.dns.ZoneAnswer;
import io.dualstackd.netlink.random.Draw;
import io.dualstackd.netlink.random.Tries;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever comes, it is answered by the rules or not at all. */
@Tag("slow")
final class RandomMessagesTest {
    private static final List<String> NAMES = List.of(
            "web.default.svc.cluster.local",
            "_db._tcp.db.default.svc.cluster.local",
            "10.0.96.10.in-addr.arpa",
            "inside.default.svc.cluster.local",
            "www.example.com",
            "cluster.local",
            ".");

    private final Zone zone = SampleCluster.zone();

    @Test
    void randomBytes() {
        Tries.of(20_000, draw -> answer(draw.bytes(600)));
    }

    @Test
    void queriesWithAFault() {
        Tries.of(40_000, draw -> answer(mutated(draw, query(draw))));
    }

    @Test
    void queriesWithoutAFaultAreAnswered() {
        Tries.of(5_000, draw -> assertThat(answer(query(draw))).isNotEmpty());
    }

    @Test
    void answersOfOthersWithAFault() {
        Tries.of(20_000, draw -> {
            byte[] query = query(draw);
            DnsQuery read = ((ReceivedQuery.Valid) MessageReader.query(query, query.length)).query();
            if (zone.answer(read.question(), 0) instanceof ZoneAnswer.Known(DnsAnswer known)) {
                byte[] reply = mutated(draw, MessageWriter.answer(read, known, true, 1232));
                // What is read can be written, and is read again as the same.
                MessageReader.reply(reply, reply.length)
                        .filter(r -> !r.answer().truncated())
                        .ifPresent(r -> {
                            byte[] again = MessageWriter.answer(
                                    new DnsQuery(
                                            r.id(),
                                            true,
                                            false,
                                            false,
                                            r.question().orElse(read.question()),
                                            read.edns()),
                                    r.answer(),
                                    true,
                                    65_535);
                            assertThat(MessageReader.reply(again, again.length)).hasValueSatisfying(same -> {
                                assertThat(same.answer().answers())
                                        .isEqualTo(r.answer().answers());
                                assertThat(same.answer().additional())
                                        .isEqualTo(r.answer().additional());
                            });
                        });
            }
        });
    }

    private static byte[] query(Draw draw) {
        String type = draw.one("A", "AAAA", "SRV", "PTR", "TXT", "SOA", "NS", "CNAME", "MX", "ANY");
        return NettyCodec.query(draw.upTo(65_535), draw.one(NAMES), type, draw.one(0, 512, 1232, 65_535));
    }

    private static byte[] mutated(Draw draw, byte[] message) {
        byte[] mutated = switch (draw.upTo(3)) {
            case 0 -> Arrays.copyOf(message, draw.upTo(message.length));
            case 1 -> Arrays.copyOf(message, message.length + draw.upTo(40));
            default -> message.clone();
        };
        for (int i = draw.upTo(6); i > 0 && mutated.length > 0; i--) {
            int at = draw.upTo(mutated.length - 1);
            // Pointers and lengths are the error-prone parts.
            mutated[at] = draw.one(
                    draw.aByte(), (byte) 0xc0, (byte) 0x0c, (byte) 0x3f, (byte) (mutated[at] ^ 1 << draw.upTo(7)));
        }
        return mutated;
    }

    /** The answer, or nothing. */
    private byte[] answer(byte[] message) {
        byte[] answer = switch (MessageReader.query(message, message.length)) {
            case ReceivedQuery.Ignored() -> new byte[0];
            case ReceivedQuery.Refused refused -> MessageWriter.refusal(refused, true);
            case ReceivedQuery.Valid(DnsQuery query) -> {
                DnsAnswer known = zone.answer(query.question(), query.id()) instanceof ZoneAnswer.Known(DnsAnswer found)
                        ? found
                        : DnsAnswer.failure(io.netty.handler.codec.dns.DnsResponseCode.SERVFAIL);
                byte[] written = MessageWriter.answer(query, known, true, 512);
                assertThat(MessageReader.reply(written, written.length))
                        .hasValueSatisfying(
                                reply -> assertThat(reply.question()).contains(query.question()));
                yield written;
            }
        };
        if (answer.length > 0) {
            assertThat(answer.length).isBetween(12, 512);
            assertThat(answer[0]).isEqualTo(message[0]);
            assertThat(answer[1]).isEqualTo(message[1]);
            assertThat(answer[2] & 0x80).isEqualTo(0x80);
            // An answer is never answered: two servers would not stop.
            assertThat(MessageReader.query(answer, answer.length)).isEqualTo(new ReceivedQuery.Ignored());
        }
        return answer;
    }
}
