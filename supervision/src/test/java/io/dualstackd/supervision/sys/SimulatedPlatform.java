package io.dualstackd.supervision.sys;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs the threads of a simulation one at a time, in virtual time. A thread runs until it waits; then the next one that need not wait any
 * longer runs, or, if there is none, the clock moves to the earliest deadline. Where several threads could run, the seed decides. So a run
 * takes as long as its computations, and a seed always leads to the same run.
 *
 * <p>Threads are virtual ones that hand a permit to each other, so that code that waits in the middle of a method is simulated as it is.
 */
public final class SimulatedPlatform implements Platform {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final long NEVER = Long.MAX_VALUE;

    private final SplittableRandom order;
    private final SplittableRandom chance;
    private final Trace trace;
    private final SteadyClock steady;
    /** The threads that have started and not ended, in the order of their start. */
    private final List<SimulatedThread> threads = new ArrayList<>();

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private long eventNumber;
    private long now;
    private Duration set = Duration.ZERO;
    private @Nullable SimulatedThread running;
    private long switches;
    /** The first thread has ended, or no thread can ever run again; nothing runs any more. */
    private boolean over;

    private final Semaphore stopped = new Semaphore(0);
    private @Nullable Throwable failure;

    /** Something that happens to the daemon at a time; runs on the thread that waits at that moment, and must not wait itself. */
    private record Event(long at, long number, Runnable what) {}

    public SimulatedPlatform(long seed, Trace trace) {
        SplittableRandom seeds = new SplittableRandom(seed);
        this.order = seeds.split();
        this.chance = seeds.split();
        this.trace = trace;
        this.steady = new SteadyClock(START, this::nanoTime);
    }

    /** Runs {@code work} as the first thread, and returns when it has ended. */
    public void run(Runnable work) throws InterruptedException {
        SimulatedThread main = new SimulatedThread("main", () -> {
            try {
                work.run();
            } catch (Throwable e) {
                failure = e;
            } finally {
                over = true;
            }
        });
        main.begin();
        main.resume();
        stopped.acquire();
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /** The threads that have not ended. */
    public List<String> alive() {
        return threads.stream().map(thread -> thread.name).toList();
    }

    /** How often another thread than before has run. */
    public long switches() {
        return switches;
    }

    /** The time since the start. */
    public Duration elapsed() {
        return Duration.ofNanos(now);
    }

    /** Calls {@code what} after a while. */
    public void after(Duration time, Runnable what) {
        events.add(new Event(now + time.toNanos(), eventNumber++, what));
    }

    /** Sets the wall clock forward, or back; no wait becomes shorter or longer. */
    public void setClock(Duration by) {
        set = set.plus(by);
    }

    /** Lets the calling thread sleep. */
    public void sleep(Duration time) {
        try {
            boolean ignored = waitFor(() -> false, now + time.toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted in its sleep", e);
        }
    }

    /**
     * Lets the calling thread wait until the condition holds.
     *
     * @param deadline when to give up, as {@link #nanoTime}
     * @return whether the condition holds
     */
    public boolean waitFor(BooleanSupplier condition, long deadline) throws InterruptedException {
        SimulatedThread me = current();
        if (me.takeInterrupt()) {
            throw new InterruptedException();
        }
        if (condition.getAsBoolean()) {
            return true;
        }
        if (deadline <= now) {
            return false;
        }
        me.condition = condition;
        me.deadline = deadline;
        SimulatedThread next = next();
        if (next.equals(me)) {
            me.deadline = NEVER;
        } else {
            next.resume();
            me.turn.acquireUninterruptibly();
        }
        me.condition = () -> true;
        if (me.takeInterrupt()) {
            throw new InterruptedException();
        }
        return condition.getAsBoolean();
    }

    private boolean waitForSpan(BooleanSupplier condition, Duration longest) throws InterruptedException {
        long span = Math.max(0, longest.toNanos());
        return waitFor(condition, span > NEVER - now ? NEVER : now + span);
    }

    private SimulatedThread current() {
        SimulatedThread thread = running;
        if (thread == null || !thread.isCurrent()) {
            throw new IllegalStateException(
                    Thread.currentThread() + " waits, but is not the thread of the simulation that runs");
        }
        return thread;
    }

    /** Chooses the thread that runs next, and moves the clock if none can run now. */
    private SimulatedThread next() {
        List<SimulatedThread> ready = new ArrayList<>();
        while (true) {
            while (!events.isEmpty() && events.peek().at <= now) {
                events.remove().what.run();
            }
            ready.clear();
            long soonest = events.isEmpty() ? NEVER : events.peek().at;
            for (SimulatedThread thread : threads) {
                if (thread.canRun()) {
                    ready.add(thread);
                }
                soonest = Math.min(soonest, thread.deadline);
            }
            if (!ready.isEmpty()) {
                return ready.size() == 1 ? ready.getFirst() : ready.get(order.nextInt(ready.size()));
            }
            if (soonest == NEVER) {
                failure = new IllegalStateException("all threads wait for each other: " + alive());
                over = true;
                stopped.release();
                new Semaphore(0).acquireUninterruptibly();
            }
            now = soonest;
        }
    }

    @Override
    public Instant instant() {
        return START.plusNanos(now).plus(set);
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public SteadyClock steady() {
        return steady;
    }

    @Override
    public RandomGenerator random() {
        return chance;
    }

    @Override
    public Task thread(String name, Runnable work) {
        return new SimulatedThread(name, work);
    }

    @Override
    public Permits permits() {
        return new SimulatedPermits();
    }

    @Override
    public Latch latch() {
        return new SimulatedLatch();
    }

    private final class SimulatedThread implements Task {
        private final String name;
        private final Thread thread;
        private final Semaphore turn = new Semaphore(0);
        private BooleanSupplier condition = () -> true;
        private long deadline = NEVER;
        private boolean interrupted;
        private boolean ended;

        SimulatedThread(String name, Runnable work) {
            this.name = name;
            this.thread = Thread.ofVirtual().name(name).unstarted(() -> {
                turn.acquireUninterruptibly();
                try {
                    work.run();
                } finally {
                    ended = true;
                    threads.remove(this);
                    if (over) {
                        stopped.release();
                    } else {
                        next().resume();
                    }
                }
            });
        }

        private boolean canRun() {
            return interrupted || deadline <= now || condition.getAsBoolean();
        }

        private void resume() {
            deadline = NEVER;
            running = this;
            switches++;
            trace.add(now, "run", name);
            turn.release();
        }

        private boolean takeInterrupt() {
            boolean itself = Thread.interrupted();
            boolean other = interrupted;
            interrupted = false;
            return itself || other;
        }

        private void begin() {
            threads.add(this);
            thread.start();
        }

        @Override
        public void start() {
            begin();
        }

        @Override
        public void interrupt() {
            interrupted = true;
        }

        @Override
        public void join() throws InterruptedException {
            boolean ignored = waitFor(() -> ended, NEVER);
        }

        @Override
        public boolean isCurrent() {
            return Thread.currentThread().equals(thread);
        }
    }

    private final class SimulatedPermits implements Permits {
        private int count;

        @Override
        public void release() {
            count++;
        }

        @Override
        public int available() {
            return count;
        }

        @Override
        public boolean tryAcquire(Duration longest) throws InterruptedException {
            boolean acquired = waitForSpan(() -> count > 0, longest);
            if (acquired) {
                count--;
            }
            return acquired;
        }

        @Override
        public void drain() {
            count = 0;
        }
    }

    private final class SimulatedLatch implements Latch {
        private boolean open;

        @Override
        public void open() {
            open = true;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void await() throws InterruptedException {
            boolean ignored = waitFor(() -> open, NEVER);
        }

        @Override
        public boolean await(Duration longest) throws InterruptedException {
            return waitForSpan(() -> open, longest);
        }
    }
}
