package io.dualstackd.agent.log.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.monitor.LineFilter;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.store.ServiceDiff;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.netlink.ip.Ip;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RingHandlerTest {
    private final RingHandler ring = new RingHandler(0);

    @AfterEach
    void levelAsBefore() {
        LogSetup.level(Level.INFO);
    }

    private void put(String logger, Level level, String message, long millis) {
        LogRecord made = new LogRecord(level, message);
        made.setLoggerName(logger);
        made.setInstant(Instant.ofEpochMilli(millis));
        ring.publish(made);
    }

    private void change(String service, int endpoints, int version) {
        FieldRecord made = new FieldRecord(
                Level.FINE,
                "service changed service={} what=\"{}\"",
                new Object[] {service, serviceDiff(service, endpoints, version)},
                true);
        made.setLoggerName("source");
        ring.publish(made);
    }

    private static ServiceDiff serviceDiff(String service, int endpoints, int version) {
        return new ServiceDiff(
                new ServiceKey("shop", service),
                state(service, endpoints, version),
                state(service, endpoints, version + 1));
    }

    private static ServiceState state(String service, int endpoints, int version) {
        List<EndpointSlice.Endpoint> all = IntStream.range(version, version + endpoints)
                .mapToObj(each -> new EndpointSlice.Endpoint(
                        Ip.parse("10.1." + (each >> 8) + "." + (each & 255)),
                        EndpointSlice.Conditions.NONE,
                        "",
                        Set.of(),
                        Set.of()))
                .toList();
        return new ServiceState(
                Optional.empty(),
                List.of(new EndpointSlice(
                        "shop",
                        service + "-1",
                        Optional.of(service),
                        false,
                        EndpointSlice.AddressType.IPV4,
                        List.of(),
                        all,
                        Optional.empty())));
    }

    private RecentLog.Batch from(long number) {
        return ring.from(number, LineFilter.ALL);
    }

    @Test
    void reportsHowManyRecordsASlowReaderLost() {
        for (int i = 0; i < RingHandler.MAX_RECORDS + 100; i++) {
            put("dataplane", Level.INFO, "number " + i, i);
        }
        RecentLog.Batch batch = from(40);
        assertThat(batch.lost()).isEqualTo(60);
        assertThat(batch.end()).isEqualTo(RingHandler.MAX_RECORDS + 100);
        assertThat(batch.lines().getFirst()).contains("\"msg\":\"number 100\"");
    }

    /** The daemon was started anew, and has logged more than before meanwhile. */
    @Test
    void aReaderOfTheProcessBeforeGetsAllRecords() {
        RingHandler anew = new RingHandler(1000);
        for (int i = 0; i < 3; i++) {
            anew.publish(new LogRecord(Level.INFO, "number " + i));
        }
        for (long number : new long[] {2, 999, 1004}) {
            RecentLog.Batch batch = anew.from(number, LineFilter.ALL);
            assertThat(batch.lines()).hasSize(3);
            assertThat(batch.lost()).isZero();
            assertThat(batch.next()).isEqualTo(1003);
        }
    }

    @Test
    void batchesAreBoundedAndTogetherComplete() {
        for (int i = 0; i < RingHandler.MAX_RECORDS; i++) {
            put("dataplane", Level.INFO, "number " + i, i);
        }
        List<String> lines = new ArrayList<>();
        long next = 0;
        while (next < RingHandler.MAX_RECORDS) {
            RecentLog.Batch batch = from(next);
            assertThat(batch.lost()).isZero();
            assertThat(batch.lines().stream().mapToInt(String::length).sum())
                    .isPositive()
                    .isLessThan(RingHandler.MAX_ANSWER + 200);
            lines.addAll(batch.lines());
            next = batch.next();
        }
        assertThat(lines).hasSize(RingHandler.MAX_RECORDS);
        assertThat(lines.getLast()).contains("\"msg\":\"number 2047\"");
        assertThat(from(next)).isEqualTo(new RecentLog.Batch(next, next, 0, List.of()));
    }

    @Test
    void memoryOfLongRecordsIsBounded() {
        String text = "x".repeat(1 << 20);
        for (int i = 0; i < 10; i++) {
            put("dataplane", Level.INFO, text, i);
        }
        assertThat(from(0).lost()).isEqualTo(7);
    }

    @Test
    void memoryOfChangesIsBounded() {
        for (int i = 0; i < 1000; i++) {
            change("large", 1000, i);
        }
        RecentLog.Batch batch = from(0);
        assertThat(batch.end()).isEqualTo(1000);
        assertThat(1000 - batch.lost()).isBetween(20L, 70L);
    }

    @Test
    void aChangeCostsItsThreadNoText() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        ServiceDiff large = serviceDiff("web", 1000, 1);
        Object[] values = {"shop/web", large};
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < 100; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            FieldRecord made = new FieldRecord(Level.FINE, "service changed service={} what=\"{}\"", values, true);
            made.setLoggerName("source");
            ring.publish(made);
            shortest = Math.min(shortest, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(shortest).isLessThan(1024);
        assertThat(from(99).lines())
                .singleElement()
                .asString()
                .contains("\"what\":\"10.1.0.1 removed, 10.1.3.233 added\"");
    }

    @Test
    void aReaderOfOneServiceMissesNothingAmongManyChanges() {
        for (int i = 0; i < 2000; i++) {
            change(i == 1000 ? "web" : "other-" + i, 10, i);
        }
        assertThat(ring.from(0, LineFilter.of("shop/web")).lines())
                .singleElement()
                .asString()
                .contains("\"service\":\"web\"");
    }

    @Test
    void aReaderOfAFormerProcessBeginsAnew() {
        put("dataplane", Level.INFO, "one", 1);
        put("dataplane", Level.INFO, "two", 2);
        RecentLog.Batch batch = from(500);
        assertThat(batch.lines()).hasSize(2);
        assertThat(batch.lost()).isZero();
        assertThat(batch.next()).isEqualTo(2);
    }

    @Test
    void findsTheFirstRecordOfATime() {
        for (int i = 0; i < 10; i++) {
            put("dataplane", Level.INFO, "number " + i, 1000L * i);
        }
        assertThat(ring.since(Instant.ofEpochMilli(7000))).isEqualTo(7);
        assertThat(ring.since(Instant.ofEpochMilli(6500))).isEqualTo(7);
        assertThat(ring.since(Instant.EPOCH)).isZero();
        assertThat(ring.since(Instant.ofEpochMilli(99_000))).isEqualTo(10);
    }

    @Test
    void keepsNoRecordsOfLibrariesAndOfTheReaderItself() {
        put("io.netty.channel", Level.WARNING, "library", 1);
        put("admin", Level.FINE, "closed", 1);
        put("admin", Level.INFO, "listening", 1);
        assertThat(from(0).lines()).singleElement().asString().contains("listening");
    }

    @Test
    void filtersByWholeNames() {
        LineFilter filter = LineFilter.of("shop/web");
        assertThat(filter.selects("{\"fields\":{\"service\":\"shop/web\"}}")).isTrue();
        assertThat(filter.selects("{\"fields\":{\"changed\":\"a/b, shop/web\"}}"))
                .isTrue();
        assertThat(filter.selects("{\"fields\":{\"service\":\"shop/web:http\"}}"))
                .isTrue();
        assertThat(filter.selects("{\"fields\":{\"service\":\"shop/web-2\"}}")).isFalse();
        assertThat(filter.selects("{\"fields\":{\"service\":\"my-shop/web\"}}")).isFalse();
        assertThat(filter.selects("{\"fields\":{\"changed\":\"a/b, a/c, a/d and 9 more\"}}"))
                .isTrue();
        assertThat(LineFilter.of("shop/").selects("{\"fields\":{\"service\":\"shop/web\"}}"))
                .isTrue();
        assertThat(LineFilter.of("shop/").selects("{\"fields\":{\"service\":\"myshop/web\"}}"))
                .isFalse();
    }
}
