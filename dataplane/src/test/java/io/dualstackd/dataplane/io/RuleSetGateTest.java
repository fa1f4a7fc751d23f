package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RuleSetGateTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    /** Takes the turn for reading on another thread, until {@link #done}. */
    private FutureTask<Boolean> reader(RuleSetGate ruleSetGate) throws InterruptedException {
        FutureTask<Boolean> reader = new FutureTask<>(() -> ruleSetGate.reading(() -> {
            begun.countDown();
            return done.await(1, TimeUnit.MINUTES);
        }));
        Thread.ofPlatform().start(reader);
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        return reader;
    }

    @Test
    void writerWaitsForReader() throws Exception {
        RuleSetGate ruleSetGate = new RuleSetGate(Duration.ofMinutes(1));
        FutureTask<Boolean> reader = reader(ruleSetGate);
        CompletableFuture<Boolean> change =
                CompletableFuture.supplyAsync(() -> ruleSetGate.changing(() -> done.getCount() == 0));
        assertThat(change.isDone()).isFalse();
        done.countDown();
        assertThat(change.get(1, TimeUnit.MINUTES)).isTrue();
        reader.get(1, TimeUnit.MINUTES);
    }

    @Test
    void waitsOnlyForALimitedTime() throws Exception {
        RuleSetGate ruleSetGate = new RuleSetGate(Duration.ofMillis(20));
        FutureTask<Boolean> reader = reader(ruleSetGate);
        assertThat(ruleSetGate.<Long, RuntimeException>changing(done::getCount)).isEqualTo(1);
        done.countDown();
        reader.get(1, TimeUnit.MINUTES);
    }

    @Test
    void changesDoNotWaitForEachOther() throws Exception {
        RuleSetGate ruleSetGate = new RuleSetGate(Duration.ofMinutes(1));
        long meanwhile =
                ruleSetGate.changing(() -> CompletableFuture.supplyAsync(() -> ruleSetGate.changing(begun::getCount))
                        .get(1, TimeUnit.MINUTES));
        assertThat(meanwhile).isEqualTo(1);
    }

    @Test
    void neitherDoReaders() throws Exception {
        RuleSetGate ruleSetGate = new RuleSetGate(Duration.ofMinutes(1));
        FutureTask<Boolean> reader = reader(ruleSetGate);
        assertThat(ruleSetGate.<Long, RuntimeException>reading(done::getCount)).isEqualTo(1);
        done.countDown();
        assertThat(reader.get(1, TimeUnit.MINUTES)).as("it was still reading").isTrue();
    }

    /** Or among many short changes it would never be done. */
    @Test
    void waitingReaderPrecedesNextWriter() throws Exception {
        RuleSetGate ruleSetGate = new RuleSetGate(Duration.ofMinutes(1));
        FutureTask<Boolean> reader = new FutureTask<>(() -> ruleSetGate.reading(() -> {
            begun.countDown();
            return done.await(1, TimeUnit.MINUTES);
        }));
        FutureTask<Boolean> next = new FutureTask<>(() -> ruleSetGate.changing(() -> done.getCount() == 0));
        ruleSetGate.changing(() -> {
            started(reader);
            started(next);
            assertThat(begun.getCount()).isEqualTo(1);
            return true;
        });
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(next.isDone()).isFalse();
        done.countDown();
        assertThat(next.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(reader.get(1, TimeUnit.MINUTES)).isTrue();
    }

    /** Returns when it waits for its turn. */
    private static void started(FutureTask<Boolean> work) {
        Thread thread = Thread.ofPlatform().start(work);
        await().atMost(Duration.ofMinutes(1)).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
}
