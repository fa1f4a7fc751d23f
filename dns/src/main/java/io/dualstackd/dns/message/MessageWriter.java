package io.dualstackd.dns.message;

import io.dualstackd.netlink.ip.Ip;
import io.netty.handler.codec.dns.DnsRecordType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes one message. Owners and targets are compressed; records that do not fit are left out as a whole. */
public final class MessageWriter {
    /** The largest message over TCP. */
    public static final int MAX_BYTES = 65_535;

    /** The largest answer to a UDP query without a size (RFC 1035). */
    public static final int PLAIN_UDP_BYTES = 512;

    /** The largest UDP packet that dualstackd accepts and sends: it passes every network without fragmentation. */
    public static final int UDP_BYTES = 1_232;

    /** The question's name follows the header. */
    private static final int POINTER_TO_QUESTION = 0xc000 | MessageReader.HEADER;

    private static final int POINTER_BOUND = 0x4000;

    private static final int OPT_BYTES = 11;

    private final int limit;
    private byte[] bytes;
    private int at = MessageReader.HEADER;
    private Optional<DnsName> question = Optional.empty();
    /** The offsets of names, in the case they are written. */
    private Map<String, Integer> offsets = Map.of();

    private MessageWriter(int limit) {
        this.limit = limit;
        this.bytes = new byte[Math.min(limit, PLAIN_UDP_BYTES)];
    }

    /**
     * The answer to a query.
     *
     * @param limit of the transport in bytes; less when a UDP client requests less
     * @param recursionAvailable bit {@code RA}
     */
    public static byte[] answer(DnsQuery query, DnsAnswer answer, boolean recursionAvailable, int limit) {
        MessageWriter out = new MessageWriter(limit);
        out.question(query.question());
        int reserved = query.edns().isPresent() ? OPT_BYTES : 0;
        int answers = out.records(answer.answers(), reserved);
        int authority = answers < answer.answers().size() ? 0 : out.records(answer.authority(), reserved);
        boolean complete = answers == answer.answers().size()
                && authority == answer.authority().size();
        // RFC 2181, 9: additional records may be left out without setting TC.
        int additional = complete ? out.records(answer.additional(), reserved) : 0;
        query.edns().ifPresent(edns -> out.options(edns, answer.code().intValue()));
        int flags = Flags.RESPONSE
                | bit(answer.authoritative(), Flags.AUTHORITATIVE)
                | bit(!complete || answer.truncated(), Flags.TRUNCATED)
                | bit(query.recursionDesired(), Flags.RECURSION_DESIRED)
                | bit(recursionAvailable, Flags.RECURSION_AVAILABLE)
                | bit(answer.authenticData(), Flags.AUTHENTIC_DATA)
                | bit(query.checkingDisabled(), Flags.CHECKING_DISABLED)
                | (answer.code().intValue() & Flags.CODE);
        int[] counts = {1, answers, authority, additional + (reserved > 0 ? 1 : 0)};
        return out.finish(query.id(), flags, counts);
    }

    /** Returns an answer that consists of a code only. */
    public static byte[] refusal(ReceivedQuery.Refused refused, boolean recursionAvailable) {
        MessageWriter out = new MessageWriter(PLAIN_UDP_BYTES);
        refused.question().ifPresent(out::question);
        refused.edns().ifPresent(edns -> out.options(edns, refused.code().intValue()));
        int flags = Flags.RESPONSE
                | (refused.flags() & (Flags.OPCODE | Flags.RECURSION_DESIRED | Flags.CHECKING_DISABLED))
                | bit(recursionAvailable, Flags.RECURSION_AVAILABLE)
                | (refused.code().intValue() & Flags.CODE);
        int[] counts = {
            refused.question().isPresent() ? 1 : 0, 0, 0, refused.edns().isPresent() ? 1 : 0
        };
        return out.finish(refused.id(), flags, counts);
    }

    /**
     * A query to an upstream resolver.
     *
     * @param edns empty for a resolver that does not know it
     */
    public static byte[] query(int id, DnsQuestion question, Optional<Edns> edns, boolean checkingDisabled) {
        MessageWriter out = new MessageWriter(PLAIN_UDP_BYTES);
        out.question(question);
        edns.ifPresent(options -> out.options(options, 0));
        // RFC 6840, 5.8: without AD or DO in the query there is no AD in the answer, which some clients request.
        int flags = Flags.RECURSION_DESIRED | Flags.AUTHENTIC_DATA | bit(checkingDisabled, Flags.CHECKING_DISABLED);
        return out.finish(id, flags, new int[] {1, 0, 0, edns.isPresent() ? 1 : 0});
    }

    /** Whether bit {@code TC} is set in a message. */
    public static boolean isTruncated(byte[] message) {
        return (message[2] & Flags.TRUNCATED >> 8) != 0;
    }

    private static int bit(boolean set, int bit) {
        return set ? bit : 0;
    }

    private byte[] finish(int id, int flags, int[] counts) {
        int end = at;
        at = 0;
        u16(id);
        u16(flags);
        for (int count : counts) {
            u16(count);
        }
        return Arrays.copyOf(bytes, end);
    }

    private void question(DnsQuestion question) {
        this.question = Optional.of(question.name());
        plainName(question.name());
        u16(question.type().intValue());
        u16(MessageReader.IN);
    }

    private void options(Edns edns, int code) {
        u8(0);
        u16(DnsRecordType.OPT.intValue());
        u16(UDP_BYTES);
        u8(code >> 4);
        u8(0);
        u16(edns.dnssecOk() ? Flags.DNSSEC_OK : 0);
        u16(0);
    }

    /** Writes records as long as they fit, and returns how many. */
    private int records(List<DnsRecord> records, int reserved) {
        int written = 0;
        for (DnsRecord record : records) {
            int start = at;
            record(record);
            if (at + reserved > limit) {
                at = start;
                if (!offsets.isEmpty()) {
                    offsets.values().removeIf(offset -> offset >= start);
                }
                return written;
            }
            written++;
        }
        return written;
    }

    private void record(DnsRecord record) {
        name(record.owner());
        u16(record.type().intValue());
        u16(MessageReader.IN);
        u32(record.ttl());
        int length = at;
        u16(0);
        data(record);
        int end = at;
        at = length;
        u16(end - length - 2);
        at = end;
    }

    private void data(DnsRecord record) {
        switch (record.data()) {
            case RecordData.Address(Ip ip) -> {
                for (int i = 0; i < ip.family().bytes(); i++) {
                    u8(ip.byteAt(i));
                }
            }
            case RecordData.Target(DnsName target) -> {
                if (record.type().equals(DnsRecordType.DNAME)) {
                    // RFC 6672, 2.5: must not be compressed.
                    plainName(target);
                } else {
                    name(target);
                }
            }
            case RecordData.Service(int priority, int weight, int port, DnsName target) -> {
                u16(priority);
                u16(weight);
                u16(port);
                // RFC 2782: must not be compressed.
                plainName(target);
            }
            case RecordData.Authority soa -> {
                name(soa.server());
                name(soa.mailbox());
                u32(soa.serial());
                u32(soa.refresh());
                u32(soa.retry());
                u32(soa.expire());
                u32(soa.minimum());
            }
            case RecordData.Text(String text) -> {
                byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
                u8(ascii.length);
                ensureCapacity(ascii.length);
                System.arraycopy(ascii, 0, bytes, at, ascii.length);
                at += ascii.length;
            }
            case RecordData.Other(MessageBytes other) -> {
                ensureCapacity(other.size());
                other.copyTo(bytes, at);
                at += other.size();
            }
        }
    }

    private void plainName(DnsName name) {
        ensureCapacity(name.size());
        name.copyTo(bytes, at);
        at += name.size();
    }

    private void name(DnsName name) {
        if (question.filter(name::equals).isPresent()) {
            u16(POINTER_TO_QUESTION);
            return;
        }
        if (offsets.isEmpty()) {
            offsets = new HashMap<>();
            question.ifPresent(first -> remember(first, MessageReader.HEADER));
        }
        int start = at;
        for (int left = name.labels(); left > 0; left--) {
            DnsName suffix = name.last(left);
            int skipped = name.size() - suffix.size();
            Integer offset = offsets.get(suffix.toString());
            if (offset != null) {
                for (int i = 0; i < skipped; i++) {
                    u8(name.at(i));
                }
                u16(0xc000 | offset);
                return;
            }
            if (start + skipped < POINTER_BOUND) {
                offsets.put(suffix.toString(), start + skipped);
            }
        }
        plainName(name);
    }

    private void remember(DnsName name, int start) {
        for (int left = name.labels(); left > 0; left--) {
            DnsName suffix = name.last(left);
            offsets.put(suffix.toString(), start + name.size() - suffix.size());
        }
    }

    private void u8(int value) {
        ensureCapacity(1);
        bytes[at++] = (byte) value;
    }

    private void u16(int value) {
        u8(value >> 8);
        u8(value);
    }

    private void u32(long value) {
        u16((int) (value >> 16));
        u16((int) value);
    }

    private void ensureCapacity(int more) {
        if (at + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(at + more, 2 * bytes.length));
        }
    }
}
