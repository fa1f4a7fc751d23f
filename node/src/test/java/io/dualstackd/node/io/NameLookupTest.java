package io.dualstackd.node.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.netlink.ip.Ip;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Answers of every kind, and none. */
final class NameLookupTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration NEVER = Duration.ofHours(10);
    private static final NameLookup.Pace PATIENT = new NameLookup.Pace(NEVER, NEVER, Duration.ZERO);
    private static final List<Ip> ONE = List.of(Ip.parse("10.0.0.1"));
    private static final List<Ip> TWO = List.of(Ip.parse("10.0.0.2"), Ip.parse("fd00::2"));

    private final Semaphore notifications = new Semaphore(0);
    private final AtomicInteger asked = new AtomicInteger();
    private final LinkedBlockingQueue<List<Ip>> answers = new LinkedBlockingQueue<>();

    /** An empty answer stands for an unknown name. */
    private List<Ip> resolve(String name) throws Exception {
        asked.incrementAndGet();
        List<Ip> answer = answers.take();
        if (answer.isEmpty()) {
            throw new UnknownHostException(name);
        }
        return answer;
    }

    /** Lets the lookup answer, and waits until it asks again, so that the answer has been dealt with. */
    private void answered(NameLookup lookup, List<Ip> answer) {
        int before = asked.get();
        answers.add(answer);
        lookup.again();
        await().atMost(LONG).until(() -> asked.get() > before);
    }

    @Test
    void notifiesWhenAnswersChange() {
        try (NameLookup lookup = NameLookup.of("n", this::resolve, PATIENT, notifications::release)
                .begin()) {
            await().atMost(LONG).until(() -> asked.get() == 1);
            assertThat(lookup.isSettled()).isFalse();
            answered(lookup, ONE);
            assertThat(lookup.isSettled()).isTrue();
            assertThat(lookup.resolved()).isEqualTo(ONE);
            answered(lookup, ONE);
            assertThat(notifications.availablePermits())
                    .as("the same answer causes no notification")
                    .isEqualTo(1);
            answered(lookup, TWO);
            assertThat(lookup.resolved()).isEqualTo(TWO);
            assertThat(notifications.availablePermits()).isEqualTo(2);
        }
    }

    @Test
    void keepsTheOrderWhenServersRotateTheirAnswers() {
        try (NameLookup lookup = NameLookup.of("n", this::resolve, PATIENT, notifications::release)
                .begin()) {
            await().atMost(LONG).until(() -> asked.get() == 1);
            answered(lookup, TWO);
            answered(lookup, TWO.reversed());
            assertThat(lookup.resolved()).isEqualTo(TWO);
            assertThat(notifications.availablePermits()).isEqualTo(1);
        }
    }

    @Test
    void serversThatAreDownDoNotRenameANode() {
        try (NameLookup lookup = NameLookup.of("n", this::resolve, PATIENT, notifications::release)
                .begin()) {
            await().atMost(LONG).until(() -> asked.get() == 1);
            answered(lookup, ONE);
            answered(lookup, List.of());
            assertThat(lookup.resolved()).isEqualTo(ONE);
            assertThat(notifications.availablePermits()).isEqualTo(1);
        }
    }

    /** The question for one family failed, and the resolver passes on the answer for the other. */
    @Test
    void oneAnswerWithoutAFamilyIsNotBelieved() {
        List<Ip> both = List.of(Ip.parse("192.0.2.1"), Ip.parse("2001:db8::1"));
        try (NameLookup lookup = NameLookup.of("n", this::resolve, PATIENT, notifications::release)
                .begin()) {
            await().atMost(LONG).until(() -> asked.get() == 1);
            answered(lookup, both);
            answered(lookup, both.subList(0, 1));
            assertThat(lookup.resolved()).isEqualTo(both);
            answered(lookup, both);
            answered(lookup, both.subList(0, 1));
            assertThat(lookup.resolved()).isEqualTo(both);
            answered(lookup, both.subList(0, 1));
            assertThat(lookup.resolved()).isEqualTo(both.subList(0, 1));
        }
    }

    @Test
    void hangingResolverDoesNotBlock() throws Exception {
        NameLookup.Pace hasty = new NameLookup.Pace(Duration.ofMillis(1), NEVER, Duration.ZERO);
        CountDownLatch hangs = new CountDownLatch(1);
        NameLookup.Resolver resolver = name -> {
            hangs.await();
            return ONE;
        };
        try (NameLookup lookup =
                NameLookup.of("n", resolver, hasty, notifications::release).begin()) {
            notifications.acquire();
            assertThat(lookup.isSettled()).isTrue();
            assertThat(lookup.resolved()).isEmpty();
            hangs.countDown();
            notifications.acquire();
            assertThat(lookup.resolved()).isEqualTo(ONE);
        }
    }

    @Test
    void unknownNameIsAnAnswer() throws Exception {
        answers.add(List.of());
        try (NameLookup lookup = NameLookup.of("n", this::resolve, PATIENT, notifications::release)
                .begin()) {
            notifications.acquire();
            assertThat(lookup.isSettled()).isTrue();
            assertThat(lookup.resolved()).isEmpty();
        }
    }

    @Test
    void anAnswerThatWasNotTakenIsPassedOnAgain() throws Exception {
        AtomicInteger refusals = new AtomicInteger(1);
        answers.add(ONE);
        try (NameLookup lookup = NameLookup.of("n", this::resolve, PATIENT, () -> {
                    if (refusals.getAndDecrement() > 0) {
                        throw new IllegalStateException("made up");
                    }
                    notifications.release();
                })
                .begin()) {
            answers.add(ONE);
            assertThat(notifications.tryAcquire(LONG.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(lookup.resolved()).isEqualTo(ONE);
        }
    }

    /** The resolver may hang for minutes, and no other call comes before it answers. */
    @Test
    void theEndOfPatienceThatWasNotTakenIsPassedOnAgain() throws Exception {
        NameLookup.Pace hasty = new NameLookup.Pace(Duration.ofMillis(1), NEVER, Duration.ZERO);
        AtomicInteger refusals = new AtomicInteger(1);
        try (NameLookup lookup = NameLookup.of("n", this::resolve, hasty, () -> {
                    if (refusals.getAndDecrement() > 0) {
                        throw new IllegalStateException("made up");
                    }
                    notifications.release();
                })
                .begin()) {
            assertThat(notifications.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            assertThat(lookup.isSettled()).isTrue();
        }
    }
}
