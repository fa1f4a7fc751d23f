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
 * A cache of answers of resolvers, each valid for its shortest TTL, or for a negative answer as long as its SOA record allows (RFC 2308).
 * When the cache is full, the least recently used answer is removed.
 */
public final class AnswerCache {
    /** Heap size of the objects of an entry, without its records: measured with answers of one address. */
    static final int ENTRY_BYTES = 700;

    private static final long SECOND = 1_000_000_000L;

    private final int maxBytes;
    private final long longestTtl;
    private final long longestDenial;
    private final LinkedHashMap<ForwardKey, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record Entry(DnsAnswer answer, long bytes, long since, long ttl) {}

    public AnswerCache(ForwardSettings settings) {
        this.maxBytes = settings.cacheBytes();
        this.longestTtl = settings.longestTtl().toSeconds();
        this.longestDenial = settings.longestDenial().toSeconds();
    }

    /** Returns the answer with its remaining TTLs, if it is cached and valid. */
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
     * Caches an answer, if it may be cached.
     *
     * @param size of its message, in bytes
     */
    public void put(ForwardKey key, DnsAnswer answer, int size, long now) {
        remove(key);
        long ttl = ttl(answer);
        // Compression makes a message much shorter than its names.
        long cost = ENTRY_BYTES + Math.max(size, answer.heapBytes());
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

    /** Number of cached answers. */
    public int size() {
        return entries.size();
    }

    /** Their size in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Returns how many seconds to cache the answer; 0 if it must not be cached. */
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

    /** Returns the negative TTL by RFC 2308, 5: the smaller of the SOA record's TTL and its last field; empty without such a record. */
    private static Optional<Long> denial(DnsAnswer answer) {
        for (DnsRecord record : answer.authority()) {
            if (record.data() instanceof RecordData.Authority soa) {
                return Optional.of(Math.min(soa.minimum(), record.ttl()));
            }
        }
        return Optional.empty();
    }
}
