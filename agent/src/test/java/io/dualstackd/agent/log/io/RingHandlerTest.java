package io.dualstackd.agent.log.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.monitor.LineFilter;
import io.dualstackd.admin.monitor.RecentLog;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RingHandlerTest {
    private final RingHandler ring = new RingHandler();

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

    @Test
    void aSlowReaderIsToldWhatItLost() {
        for (int i = 0; i < RingHandler.SIZE + 100; i++) {
            put("dataplane", Level.INFO, "number " + i, i);
        }
        RecentLog.Batch batch = ring.from(40);
        assertThat(batch.lost()).isEqualTo(60);
        assertThat(batch.next()).isEqualTo(RingHandler.SIZE + 100);
        assertThat(batch.lines()).hasSize(RingHandler.SIZE);
        assertThat(batch.lines().getFirst()).contains("\"msg\":\"number 100\"");
        assertThat(ring.from(batch.next())).isEqualTo(new RecentLog.Batch(batch.next(), 0, List.of()));
    }

    @Test
    void aReaderOfAFormerProcessBeginsAnew() {
        put("dataplane", Level.INFO, "one", 1);
        put("dataplane", Level.INFO, "two", 2);
        RecentLog.Batch batch = ring.from(500);
        assertThat(batch.lines()).hasSize(2);
        assertThat(batch.lost()).isZero();
        assertThat(batch.next()).isEqualTo(2);
    }

    @Test
    void sinceATime() {
        for (int i = 0; i < 10; i++) {
            put("dataplane", Level.INFO, "number " + i, 1000L * i);
        }
        assertThat(ring.since(Instant.ofEpochMilli(7000))).isEqualTo(7);
        assertThat(ring.since(Instant.ofEpochMilli(6500))).isEqualTo(7);
        assertThat(ring.since(Instant.EPOCH)).isZero();
        assertThat(ring.since(Instant.ofEpochMilli(99_000))).isEqualTo(10);
    }

    @Test
    void onlyWhatTheDaemonSays() {
        put("io.netty.channel", Level.WARNING, "library", 1);
        put("admin", Level.FINE, "closed", 1);
        put("admin", Level.INFO, "listening", 1);
        assertThat(ring.from(0).lines()).singleElement().asString().contains("listening");
    }

    @Test
    void namesAreWholeOnes() {
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
