package io.dualstackd.dns.message;

import io.dualstackd.netlink.ip.Ip;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads queries of clients and answers of upstream resolvers. */
public final class MessageReader {
    static final int HEADER = 12;

    static final int IN = 1;

    private static final int OPT = 41;
    private static final int IXFR = 251;
    private static final int ANY = 255;

    private MessageReader() {}

    /** Reads the first {@code length} bytes. No input causes an exception. */
    public static ReceivedQuery query(byte[] packet, int length) {
        if (length < HEADER) {
            return new ReceivedQuery.Ignored();
        }
        WireReader in = new WireReader(packet, length, 0);
        try {
            int id = in.u16();
            int flags = in.u16();
            if ((flags & Flags.RESPONSE) != 0) {
                return new ReceivedQuery.Ignored();
            }
            return query(id, flags, in);
        } catch (MalformedMessageException e) {
            return new ReceivedQuery.Ignored();
        }
    }

    private static ReceivedQuery query(int id, int flags, WireReader in) {
        if ((flags & Flags.OPCODE) != 0) {
            return refused(id, flags, DnsResponseCode.NOTIMP);
        }
        try {
            int questions = in.u16();
            int before = in.u16() + in.u16();
            int additional = in.u16();
            if (questions != 1) {
                return refused(id, flags, DnsResponseCode.FORMERR);
            }
            DnsQuestion question = new DnsQuestion(in.name(), DnsRecordType.valueOf(in.u16()));
            int dnsClass = in.u16();
            for (int i = 0; i < before; i++) {
                skipRecord(in);
            }
            Optional<OptRecord> opt = options(in, additional);
            Optional<Edns> edns = opt.map(OptRecord::edns);
            Optional<DnsQuestion> parsed = Optional.of(question);
            if (opt.filter(o -> o.version > 0).isPresent()) {
                return new ReceivedQuery.Refused(id, flags, DnsResponseCode.BADVERS_OR_BADSIG, parsed, edns);
            }
            Optional<DnsResponseCode> refusal = refusal(question.type().intValue(), dnsClass);
            if (refusal.isPresent()) {
                return new ReceivedQuery.Refused(
                        id, flags, refusal.get(), dnsClass == IN ? parsed : Optional.empty(), edns);
            }
            return new ReceivedQuery.Valid(new DnsQuery(
                    id,
                    (flags & Flags.RECURSION_DESIRED) != 0,
                    (flags & Flags.AUTHENTIC_DATA) != 0,
                    (flags & Flags.CHECKING_DISABLED) != 0,
                    question,
                    edns));
        } catch (MalformedMessageException e) {
            return refused(id, flags, DnsResponseCode.FORMERR);
        }
    }

    private static ReceivedQuery refused(int id, int flags, DnsResponseCode code) {
        return new ReceivedQuery.Refused(id, flags, code, Optional.empty(), Optional.empty());
    }

    /** Returns the error code for zone transfers and the like, and for types that cannot be queried. */
    private static Optional<DnsResponseCode> refusal(int type, int dnsClass) {
        if (dnsClass != IN) {
            return Optional.of(DnsResponseCode.REFUSED);
        }
        if (type == 0 || type == OPT) {
            return Optional.of(DnsResponseCode.FORMERR);
        }
        return type >= IXFR && type < ANY ? Optional.of(DnsResponseCode.REFUSED) : Optional.empty();
    }

    private record OptRecord(Edns edns, int version, int extendedCode) {}

    private static Optional<OptRecord> options(WireReader in, int count) throws MalformedMessageException {
        Optional<OptRecord> found = Optional.empty();
        for (int i = 0; i < count; i++) {
            int start = in.position();
            DnsName owner = in.name();
            int type = in.u16();
            if (type != OPT) {
                in.moveTo(start);
                skipRecord(in);
                continue;
            }
            if (found.isPresent() || !owner.equals(DnsName.ROOT)) {
                throw new MalformedMessageException("an OPT record is the second one, or has a name", start);
            }
            found = Optional.of(options(in));
        }
        return found;
    }

    /** Reads the fields after the type. */
    private static OptRecord options(WireReader in) throws MalformedMessageException {
        int payload = in.u16();
        int code = in.u8();
        int version = in.u8();
        int flags = in.u16();
        in.skip(in.u16());
        return new OptRecord(new Edns(payload, (flags & Flags.DNSSEC_OK) != 0), version, code);
    }

    private static void skipRecord(WireReader in) throws MalformedMessageException {
        DnsName ignored = in.name();
        in.skip(8);
        in.skip(in.u16());
    }

    /** Reads an upstream resolver's answer; empty when the bytes are not an answer, or are malformed. */
    public static Optional<DnsReply> reply(byte[] packet, int length) {
        WireReader in = new WireReader(packet, length, 0);
        try {
            int id = in.u16();
            int flags = in.u16();
            if ((flags & (Flags.RESPONSE | Flags.OPCODE)) != Flags.RESPONSE) {
                return Optional.empty();
            }
            int questions = in.u16();
            if (questions != 1) {
                DnsResponseCode code = DnsResponseCode.valueOf(flags & Flags.CODE);
                boolean failure = questions == 0 && !code.equals(DnsResponseCode.NOERROR);
                return failure
                        ? Optional.of(new DnsReply(id, Optional.empty(), DnsAnswer.failure(code)))
                        : Optional.empty();
            }
            int[] counts = {in.u16(), in.u16(), in.u16()};
            DnsQuestion question = new DnsQuestion(in.name(), DnsRecordType.valueOf(in.u16()));
            if (in.u16() != IN) {
                return Optional.empty();
            }
            boolean truncated = (flags & Flags.TRUNCATED) != 0;
            List<List<DnsRecord>> sections = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            int extended = 0;
            try {
                for (int section = 0; section < counts.length; section++) {
                    for (int i = 0; i < counts[section]; i++) {
                        extended |= record(in, sections.get(section));
                    }
                }
            } catch (MalformedMessageException e) {
                if (!truncated) {
                    throw e;
                }
                // Some resolvers cut within a record; those before it are good.
            }
            DnsAnswer answer = new DnsAnswer(
                    DnsResponseCode.valueOf((extended << 4) | (flags & Flags.CODE)),
                    false,
                    (flags & Flags.AUTHENTIC_DATA) != 0,
                    truncated,
                    sections.get(0),
                    sections.get(1),
                    sections.get(2));
            return Optional.of(new DnsReply(id, Optional.of(question), answer));
        } catch (MalformedMessageException e) {
            return Optional.empty();
        }
    }

    /** Adds the record, unless it is of another class or an {@code OPT}. Of an {@code OPT}, returns the upper bits of the code. */
    private static int record(WireReader in, List<DnsRecord> to) throws MalformedMessageException {
        DnsName owner = in.name();
        int type = in.u16();
        if (type == OPT) {
            return options(in).extendedCode;
        }
        int dnsClass = in.u16();
        long ttl = in.u32();
        int length = in.u16();
        int start = in.position();
        in.skip(length);
        int end = in.position();
        in.moveTo(start);
        RecordData data = data(in, type, end);
        if (in.position() != end) {
            throw new MalformedMessageException("a record that is longer than it says", start);
        }
        if (dnsClass == IN) {
            // RFC 2181, 8: a TTL with the highest bit set is zero.
            to.add(new DnsRecord(owner, DnsRecordType.valueOf(type), ttl > Integer.MAX_VALUE ? 0 : (int) ttl, data));
        }
        return 0;
    }

    private static RecordData data(WireReader in, int type, int end) throws MalformedMessageException {
        int length = end - in.position();
        return switch (type) {
            case 1 -> address(in, length, 4);
            case 28 -> address(in, length, 16);
            case 2, 5, 12, 39 -> new RecordData.Target(in.name());
            case 6 -> new RecordData.Authority(in.name(), in.name(), in.u32(), in.u32(), in.u32(), in.u32(), in.u32());
            case 33 -> new RecordData.Service(in.u16(), in.u16(), in.u16(), in.name());
            default -> new RecordData.Other(NamesInData.uncompressed(in, type, length));
        };
    }

    private static RecordData address(WireReader in, int length, int wanted) throws MalformedMessageException {
        if (length != wanted) {
            throw new MalformedMessageException("an address of " + length + " bytes", in.position());
        }
        return new RecordData.Address(Ip.ofBytes(in.take(length)));
    }
}
