package io.dualstackd.dns.message;

import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.List;
import java.util.stream.Stream;

/**
 * The answer to a question, the same for all clients.
 *
 * @param authoritative bit {@code AA}
 * @param authenticData bit {@code AD}: an upstream resolver validated it
 * @param truncated whether records are missing: the resolver's answer did not fit into a packet, and could not be got over TCP
 * @param answers empty with {@code NOERROR}: the name exists and has no such record
 */
public record DnsAnswer(
        DnsResponseCode code,
        boolean authoritative,
        boolean authenticData,
        boolean truncated,
        List<DnsRecord> answers,
        List<DnsRecord> authority,
        List<DnsRecord> additional) {
    public DnsAnswer {
        answers = List.copyOf(answers);
        authority = List.copyOf(authority);
        additional = List.copyOf(additional);
    }

    /** An answer that is complete. */
    public DnsAnswer(
            DnsResponseCode code,
            boolean authoritative,
            boolean authenticData,
            List<DnsRecord> answers,
            List<DnsRecord> authority,
            List<DnsRecord> additional) {
        this(code, authoritative, authenticData, false, answers, authority, additional);
    }

    /** Returns an answer that consists of a code only. */
    public static DnsAnswer failure(DnsResponseCode code) {
        return new DnsAnswer(code, false, false, List.of(), List.of(), List.of());
    }

    /** The approximate heap size of the records, in bytes. */
    public long heapBytes() {
        return Stream.of(answers, authority, additional)
                .flatMap(List::stream)
                .mapToLong(DnsRecord::heapBytes)
                .sum();
    }
}
