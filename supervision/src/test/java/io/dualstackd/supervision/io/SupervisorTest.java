package io.dualstackd.supervision.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SupervisorTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final AtomicLong now =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(20).toNanos());
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final Supervisor supervisor = new Supervisor((why, cause) -> ends.add(why), c -> DEADLINE, now::get);

    @Test
    void aComponentThatBeatsIsNeverOverdue() {
        Supervisor.Row row = supervisor.heartbeat(Component.PODS);
        for (int i = 0; i < 200; i++) {
            row.beat();
            tick(1);
        }
        assertThat(only().age()).isZero();
        assertThat(only().overdue()).isFalse();
        assertThat(ends).isEmpty();
    }

    @Test
    void silentLongerThanItsDeadlineIsOverdueAndTwiceAsLongEndsTheProcess() {
        Supervisor.Row row = supervisor.heartbeat(Component.PODS);
        tick(1);
        tick(30);
        assertThat(only().overdue()).isFalse();
        tick(1);
        assertThat(only().overdue()).isTrue();
        assertThat(only().isFatal()).isTrue();
        assertThat(only().age()).isEqualTo(Duration.ofSeconds(31));
        tick(29);
        assertThat(ends).isEmpty();
        tick(1);
        assertThat(ends).singleElement().asString().contains("pods", "61 s", Component.PODS.purpose());
        row.beat();
        tick(1);
        assertThat(only().overdue()).isFalse();
    }

    /** The log or the end may block, and the health pages need the states. */
    @Test
    void statesAreReadWhileTheProcessIsBeingEnded() throws Exception {
        CountDownLatch ending = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        Supervisor stuck = new Supervisor(
                (why, cause) -> {
                    ending.countDown();
                    await(read);
                },
                c -> DEADLINE,
                now::get);
        stuck.heartbeat(Component.PODS);
        Thread ticks = Thread.ofPlatform().start(() -> {
            for (int second = 0; second < 62; second++) {
                now.addAndGet(Duration.ofSeconds(1).toNanos());
                stuck.tick();
            }
        });
        ending.await();
        Thread page = Thread.ofPlatform().start(stuck::states);
        boolean answered = page.join(Duration.ofSeconds(30));
        read.countDown();
        ticks.join();
        assertThat(answered).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void oneThatIsNotRequiredIsOverdueAndNotFatal() {
        supervisor.heartbeat(Component.NAMES);
        tick(40);
        assertThat(only().overdue()).isTrue();
        assertThat(only().isFatal()).isFalse();
    }

    /** With servers that do not respond it takes minutes; the daemon is healthy meanwhile, and must not be restarted. */
    @Test
    void whatLooksUpNamesMayBeSilentAsLongAsTheResolverIs() {
        assertThat(Component.API_ACCESS.deadline()).isGreaterThanOrEqualTo(Component.NAMES.deadline());
    }

    @Test
    void timeInWhichTheWholeProcessWasStoppedIsNotCounted() {
        supervisor.heartbeat(Component.PODS);
        tick(1);
        now.addAndGet(Duration.ofHours(3).toNanos());
        supervisor.tick();
        assertThat(only().age()).isEqualTo(Duration.ofSeconds(12));
        assertThat(only().overdue()).isFalse();
    }

    @Test
    void announcedWaitExtendsTheDeadline() {
        Supervisor.Row row = supervisor.heartbeat(Component.SERVICES);
        row.quiet(Duration.ofSeconds(100));
        tick(131);
        assertThat(only().overdue()).isFalse();
        tick(1);
        assertThat(only().overdue()).isTrue();
        row.idle();
        tick(1_000);
        assertThat(only().overdue()).isFalse();
        assertThat(only().age()).isZero();
        assertThat(ends).isEmpty();
        row.beat();
        tick(32);
        assertThat(only().overdue()).isTrue();
    }

    /** As when credentials are read again after hours in which nothing was asked: the announcement of rest is over, and so is the silence. */
    @Test
    void theFirstBeatAfterALongRestEndsTheSilenceAtOnce() {
        Supervisor.Row row = supervisor.heartbeat(Component.API_ACCESS);
        row.idle();
        tick(1_000);
        row.beat();
        assertThat(only().overdue()).isFalse();
        assertThat(only().age()).isZero();
        row.idle();
        tick(1_000);
        row.quiet(Duration.ofSeconds(3));
        assertThat(only().overdue()).isFalse();
        tick(34);
        assertThat(only().overdue()).isFalse();
        tick(1);
        assertThat(only().overdue()).isTrue();
    }

    /** The component beats at the moment at which it is checked. */
    @Test
    void theFirstBeatAfterALongRestDuringACheckDoesNotEndTheProcess() {
        AtomicReference<Runnable> during = new AtomicReference<>(() -> {});
        Supervisor.Row row = supervisor.heartbeat(Component.API_ACCESS, () -> {
            during.get().run();
            return 0;
        });
        row.idle();
        tick(1_000);
        during.set(row::beat);
        tick(1);
        during.set(() -> {});
        assertThat(ends).isEmpty();
        tick(31);
        assertThat(only().overdue()).isFalse();
        tick(1);
        assertThat(only().overdue()).isTrue();
    }

    @Test
    void changingSignCountsAsHeartbeat() {
        AtomicLong sign = new AtomicLong(-5);
        supervisor.heartbeat(Component.DATAPLANE_IPV6, sign::get);
        for (int i = 0; i < 100; i++) {
            sign.incrementAndGet();
            tick(1);
        }
        assertThat(only().age()).isZero();
        tick(31);
        assertThat(only().overdue()).isTrue();
    }

    @Test
    void theWorstOfTwoThreadsIsShown() {
        Supervisor.Row one = supervisor.heartbeat(Component.ADDRESSES);
        Supervisor.Row other = supervisor.heartbeat(Component.ADDRESSES);
        for (int i = 0; i < 40; i++) {
            one.beat();
            tick(1);
        }
        assertThat(only().overdue()).isTrue();
        other.close();
        assertThat(only().overdue()).isFalse();
        one.close();
        assertThat(supervisor.states()).isEmpty();
    }

    @Test
    void anAnnouncedWaitDoesNotHideAnotherThreadThatIsOverdue() {
        supervisor.heartbeat(Component.ADDRESSES).quiet(Duration.ofSeconds(100));
        tick(1);
        supervisor.heartbeat(Component.ADDRESSES);
        tick(40);
        assertThat(only().overdue()).isTrue();
        assertThat(only().age()).isEqualTo(Duration.ofSeconds(39));
    }

    @Test
    void aWaitIsAtMostAThirdOfTheDeadline() {
        Supervisor.Row row = supervisor.heartbeat(Component.ADMIN);
        assertThat(row.longestWait()).isEqualTo(Duration.ofSeconds(10));
        assertThat(row.atMost(Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(10));
        assertThat(row.atMost(Duration.ofMillis(3))).isEqualTo(Duration.ofMillis(3));
    }

    private ComponentState only() {
        List<ComponentState> states = supervisor.states();
        assertThat(states).hasSize(1);
        return states.getFirst();
    }

    private void tick(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now.addAndGet(Duration.ofSeconds(1).toNanos());
            supervisor.tick();
        }
    }
}
