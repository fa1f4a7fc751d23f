package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.wire.ApiStatus;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;

/** Faults of a test server, on request. Thread-safe. */
final class TestFaults {
    volatile boolean streaming = true;
    volatile boolean protobuf = true;
    volatile boolean tokensExpire;
    /** The version of lists from the cache, which may lag behind; negative: it does not. */
    volatile long cached = -1;
    /** Objects per page, at most. */
    volatile int page = 500;
    /** Bytes per piece of an answer; each is sent for itself. */
    volatile int pieces = Integer.MAX_VALUE;

    private final List<Instead> instead = new ArrayList<>();
    private final AtomicInteger generation = new AtomicInteger();
    private final AtomicInteger halves = new AtomicInteger();
    private final AtomicInteger expiries = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private volatile boolean down;
    private volatile Optional<String> token = Optional.empty();

    private static final class Instead {
        private final Predicate<RecordedRequest> which;
        private final MockResponse answer;
        private int times;

        private Instead(Predicate<RecordedRequest> which, MockResponse answer, int times) {
            this.which = which;
            this.answer = answer;
            this.times = times;
        }
    }

    /** Requests of this kind are answered like this until {@link #end}. */
    void answer(Predicate<RecordedRequest> which, MockResponse answer) {
        answer(which, answer, Integer.MAX_VALUE);
    }

    /** From now on everything is answered as it should be. */
    synchronized void end() {
        instead.clear();
    }

    /** The next so many requests of this kind are answered like this. */
    synchronized void answer(Predicate<RecordedRequest> which, MockResponse answer, int times) {
        instead.add(new Instead(which, answer, times));
    }

    /** Only requests with this token are served. */
    void token(String only) {
        token = Optional.of(only);
    }

    synchronized Optional<MockResponse> instead(RecordedRequest request) {
        if (token.isPresent()
                && !("Bearer " + token.get()).equals(request.getHeaders().get("Authorization"))) {
            return Optional.of(TestApiServer.refused(ApiStatus.of(401)));
        }
        for (Iterator<Instead> each = instead.iterator(); each.hasNext(); ) {
            Instead one = each.next();
            if (one.which.test(request)) {
                if (--one.times == 0) {
                    each.remove();
                }
                return Optional.of(one.answer);
            }
        }
        return Optional.empty();
    }

    /** Every watch that runs now is cut off. */
    void cutWatches() {
        generation.incrementAndGet();
    }

    /** So many watches are cut in the middle of the next thing they tell. */
    void cutInTheMiddle(int times) {
        halves.addAndGet(times);
    }

    /** So many watches say that they have forgotten where they are. */
    void expireWatches(int times) {
        expiries.addAndGet(times);
    }

    /** So many watches end in order. */
    void endWatches(int times) {
        ends.addAndGet(times);
    }

    /** Whether as many watches have ended as were to. */
    boolean watchesHaveEnded() {
        return ends.get() == 0;
    }

    int generation() {
        return generation.get();
    }

    boolean half() {
        return take(halves);
    }

    boolean expired() {
        return take(expiries);
    }

    boolean ended() {
        return take(ends);
    }

    private static boolean take(AtomicInteger times) {
        return times.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    void down() {
        down = true;
        cutWatches();
    }

    void up() {
        down = false;
    }

    boolean isDown() {
        return down;
    }
}
