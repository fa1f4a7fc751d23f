package io.dualstackd.dns.forward;

import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.RecordData;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers of resolvers, as long as they are valid: as long as their shortest TTL, and where there is no record as long as their SOA record says
 * (RFC 2308). When there are too many, the one goes that was not asked for the longest.
 */
public final class AnswerCache {
    /** Of the objects of an entry, beside the bytes of its message: measured with answers of one address. */
    static final int ENTRY_BYTES = 700;

    private static final long SECOND = 1_000_000_000L;

    private final int maxBytes;
    private final long longestTtl;
    private final long longestDenial;
    private final LinkedHashMap<ForwardKey, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record Entry(DnsAnswer answer, int bytes, long since, long ttl) {}

    public AnswerCache(ForwardSettings settings) {
        this.maxBytes = settings.cacheBytes();
        this.longestTtl = settings.longestTtl().toSeconds();
        this.longestDenial = settings.longestDenial().toSeconds();
    }

    /** The answer with TTLs that are left, if it is known and valid. */
    public Optional<DnsAnswer> get(ForwardKey key, long now) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        long age = (now - entry.since) / SECOND;
        if (age >= entry.ttl) {
            remove(key);
            return Optional.empty();
        }
        return Optional.of(age == 0 ? entry.answer : older(entry.answer, (int) age));
    }

    private static DnsAnswer older(DnsAnswer answer, int seconds) {
        return new DnsAnswer(
                answer.code(),
                answer.authoritative(),
                answer.authenticData(),
                older(answer.answers(), seconds),
                older(answer.authority(), seconds),
                older(answer.additional(), seconds));
    }

    private static List<DnsRecord> older(List<DnsRecord> records, int seconds) {
        return records.stream()
                .map(record -> record.withTtl(Math.max(0, record.ttl() - seconds)))
                .toList();
    }

    /**
     * Remembers an answer, if it may be remembered.
     *
     * @param size of its message, in bytes
     */
    public void put(ForwardKey key, DnsAnswer answer, int size, long now) {
        remove(key);
        long ttl = ttl(answer);
        int cost = size + ENTRY_BYTES;
        if (ttl <= 0 || cost > maxBytes) {
            return;
        }
        entries.put(key, new Entry(answer, cost, now, ttl));
        bytes += cost;
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > maxBytes) {
            bytes -= oldest.next().bytes;
            oldest.remove();
        }
    }

    private void remove(ForwardKey key) {
        Entry gone = entries.remove(key);
        if (gone != null) {
            bytes -= gone.bytes;
        }
    }

    /** Answers that are remembered. */
    public int size() {
        return entries.size();
    }

    /** What they count for. */
    public long bytes() {
        return bytes;
    }

    /** Seconds; 0 for what is not to be remembered. */
    private long ttl(DnsAnswer answer) {
        boolean found = answer.code().equals(DnsResponseCode.NOERROR);
        if (!found && !answer.code().equals(DnsResponseCode.NXDOMAIN)) {
            return 0;
        }
        long shortest = Stream.of(answer.answers(), answer.authority(), answer.additional())
                .flatMap(List::stream)
                .mapToLong(DnsRecord::ttl)
                .min()
                .orElse(0);
        Optional<Long> denial = denial(answer);
        if (found && !answer.answers().isEmpty() && denial.isEmpty()) {
            return Math.min(shortest, longestTtl);
        }
        return denial.map(ttl -> Math.min(Math.min(ttl, shortest), longestDenial))
                .orElse(0L);
    }

    /** RFC 2308, 5: the smaller of the SOA record's TTL and its last field; empty without such a record. */
    private static Optional<Long> denial(DnsAnswer answer) {
        for (DnsRecord record : answer.authority()) {
            if (record.data() instanceof RecordData.Authority soa) {
                return Optional.of(Math.min(soa.minimum(), record.ttl()));
            }
        }
        return Optional.empty();
    }
}
