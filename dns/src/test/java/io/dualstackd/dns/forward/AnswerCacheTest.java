package io.dualstackd.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.RecordData;
import io.dualstackd.netlink.ip.Ip;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnswerCacheTest {
    /** More than the heap size of a record with a short name. */
    private static final int SIZE = 200;

    private final AnswerCache cache = new AnswerCache(settings(10 * (SIZE + AnswerCache.ENTRY_BYTES)));

    private static ForwardSettings settings(int bytes) {
        ForwardSettings usual = ForwardSettings.defaults(List.of());
        return new ForwardSettings(
                List.of(), usual.timeout(), 1, 1, 1, bytes, Duration.ofSeconds(100), Duration.ofSeconds(50));
    }

    private static ForwardKey key(String name) {
        return new ForwardKey(new DnsQuestion(DnsName.parse(name), DnsRecordType.A), false, false);
    }

    private static long seconds(long count) {
        return Duration.ofSeconds(count).toNanos();
    }

    private static DnsRecord address(int ttl) {
        return new DnsRecord(
                DnsName.parse("example.com"), DnsRecordType.A, ttl, new RecordData.Address(Ip.parse("192.0.2.1")));
    }

    private static DnsRecord soa(int ttl, long minimum) {
        DnsName name = DnsName.parse("example.com");
        return new DnsRecord(name, DnsRecordType.SOA, ttl, new RecordData.Authority(name, name, 1, 2, 3, 4, minimum));
    }

    private static DnsAnswer answer(DnsResponseCode code, List<DnsRecord> answers, List<DnsRecord> authority) {
        return new DnsAnswer(code, false, false, answers, authority, List.of());
    }

    private static DnsAnswer found(int... ttls) {
        return answer(
                DnsResponseCode.NOERROR,
                Arrays.stream(ttls).mapToObj(AnswerCacheTest::address).toList(),
                List.of());
    }

    /** How many seconds it is remembered. */
    private long remembered(DnsAnswer answer) {
        ForwardKey key = key("x.example.com");
        cache.put(key, answer, SIZE, seconds(1_000));
        long age = 0;
        while (cache.get(key, seconds(1_000 + age)).isPresent()) {
            age++;
        }
        return age;
    }

    @Test
    void anAnswerLastsAsLongAsItsShortestTtl() {
        assertThat(remembered(found(30, 20, 40))).isEqualTo(20);
        assertThat(remembered(found(0, 20))).isZero();
        assertThat(remembered(found(7_000))).isEqualTo(100);
    }

    @ParameterizedTest
    // TTL and last field of the SOA record.
    @CsvSource({"30, 20, 20", "20, 30, 20", "3600, 3600, 50", "30, 0, 0"})
    void negativeAnswerLastsAsLongAsTheSoaSpecifies(int ttl, long minimum, long expected) {
        for (DnsResponseCode code : List.of(DnsResponseCode.NXDOMAIN, DnsResponseCode.NOERROR)) {
            assertThat(remembered(answer(code, List.of(), List.of(soa(ttl, minimum)))))
                    .isEqualTo(expected);
        }
    }

    @Test
    void anAliasThatLeadsNowhereIsADenial() {
        assertThat(remembered(answer(DnsResponseCode.NOERROR, List.of(address(90)), List.of(soa(40, 40)))))
                .isEqualTo(40);
        assertThat(remembered(answer(DnsResponseCode.NXDOMAIN, List.of(address(9)), List.of(soa(40, 40)))))
                .isEqualTo(9);
    }

    @Test
    void doesNotCacheUncacheableAnswers() {
        assertThat(remembered(answer(DnsResponseCode.NXDOMAIN, List.of(), List.of())))
                .isZero();
        assertThat(remembered(answer(DnsResponseCode.NOERROR, List.of(), List.of())))
                .isZero();
        assertThat(remembered(answer(DnsResponseCode.SERVFAIL, List.of(), List.of(soa(40, 40)))))
                .isZero();
        assertThat(cache.size()).isZero();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void ttlsShrink() {
        cache.put(key("example.com"), found(30, 20), SIZE, 0);
        Optional<DnsAnswer> later = cache.get(key("EXAMPLE.com"), seconds(15));
        assertThat(later.orElseThrow().answers().stream().map(DnsRecord::ttl)).containsExactly(15, 5);
    }

    @Test
    void evictsLeastRecentlyUsed() {
        for (int i = 0; i < 10; i++) {
            cache.put(key("x" + i), found(60), SIZE, 0);
        }
        assertThat(cache.get(key("x0"), 0)).isPresent();
        cache.put(key("x10"), found(60), SIZE, 0);
        assertThat(cache.size()).isEqualTo(10);
        assertThat(cache.get(key("x0"), 0)).isPresent();
        assertThat(cache.get(key("x1"), 0)).isEmpty();
        // Counts as two.
        cache.put(key("large"), found(60), 2 * SIZE + AnswerCache.ENTRY_BYTES, 0);
        assertThat(cache.size()).isEqualTo(9);
        assertThat(cache.bytes()).isEqualTo(10 * (SIZE + AnswerCache.ENTRY_BYTES));
        cache.put(key("too-large"), found(60), 100 * (SIZE + AnswerCache.ENTRY_BYTES), 0);
        assertThat(cache.size()).isEqualTo(9);
    }

    /** In a message a name is written once, and then as two bytes. */
    @Test
    void longNamesCountAsOftenAsTheyAreKept() {
        int limit = 1 << 20;
        AnswerCache large = new AnswerCache(settings(limit));
        String label = ".".concat("x".repeat(60));
        List<DnsRecord> records = IntStream.range(0, 100)
                .mapToObj(i -> DnsName.parse("ns" + i + label.repeat(3)))
                .map(name -> new DnsRecord(name, DnsRecordType.NS, 60, new RecordData.Target(name)))
                .toList();
        DnsAnswer answer = answer(DnsResponseCode.NOERROR, records, List.of());
        for (int i = 0; i < 500; i++) {
            large.put(key("x" + i), answer, 2_000, 0);
        }
        int names = records.size() * 2 * records.getFirst().owner().toString().length();
        assertThat(large.size()).isPositive().isLessThanOrEqualTo(limit / names);
    }

    @Test
    void theSameQuestionReplacesItsAnswer() {
        for (int i = 0; i < 100; i++) {
            cache.put(key("x"), found(60), SIZE, 0);
        }
        assertThat(cache.size()).isEqualTo(1);
        assertThat(cache.bytes()).isEqualTo(SIZE + AnswerCache.ENTRY_BYTES);
    }
}
