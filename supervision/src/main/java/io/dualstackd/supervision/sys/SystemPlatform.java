package io.dualstackd.supervision.sys;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The platform of this process. */
final class SystemPlatform implements Platform {
    static final SystemPlatform INSTANCE = new SystemPlatform();

    private SystemPlatform() {}

    @Override
    public Instant instant() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public SteadyClock steady() {
        return SteadyClock.ofProcess();
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    @Override
    public Task thread(String name, Runnable work) {
        return new PlatformThread(Thread.ofPlatform().daemon().name(name).unstarted(work));
    }

    @Override
    public Permits permits() {
        return new SystemPermits(new Semaphore(0));
    }

    @Override
    public Latch latch() {
        return new SystemLatch(new CountDownLatch(1));
    }

    private record PlatformThread(Thread thread) implements Task {
        @Override
        public void start() {
            thread.start();
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public void join() throws InterruptedException {
            thread.join();
        }

        @Override
        public boolean isCurrent() {
            return Thread.currentThread().equals(thread);
        }
    }

    private record SystemPermits(Semaphore semaphore) implements Permits {
        @Override
        public void release() {
            semaphore.release();
        }

        @Override
        public int available() {
            return semaphore.availablePermits();
        }

        @Override
        public boolean tryAcquire(Duration longest) throws InterruptedException {
            return semaphore.tryAcquire(Math.max(0, longest.toNanos()), TimeUnit.NANOSECONDS);
        }

        @Override
        public void drain() {
            semaphore.drainPermits();
        }
    }

    private record SystemLatch(CountDownLatch latch) implements Latch {
        @Override
        public void open() {
            latch.countDown();
        }

        @Override
        public boolean isOpen() {
            return latch.getCount() == 0;
        }

        @Override
        public void await() throws InterruptedException {
            latch.await();
        }

        @Override
        public boolean await(Duration longest) throws InterruptedException {
            return latch.await(Math.max(0, longest.toNanos()), TimeUnit.NANOSECONDS);
        }
    }
}
