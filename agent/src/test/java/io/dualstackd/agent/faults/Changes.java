package io.dualstackd.agent.faults;

/** Changes the workload at a steady rate until it is closed. */
final class Changes implements AutoCloseable {
    private final Workload workload;
    private final Thread thread;
    private volatile int perSecond;
    private volatile boolean closed;

    private Changes(Workload workload) {
        this.workload = workload;
        this.thread = Thread.ofPlatform().daemon().name("changes").unstarted(this::run);
    }

    static Changes of(Workload workload) {
        Changes changes = new Changes(workload);
        changes.thread.start();
        return changes;
    }

    void rate(int changesPerSecond) {
        perSecond = changesPerSecond;
    }

    private void run() {
        try {
            long due = System.nanoTime();
            while (!closed) {
                int rate = perSecond;
                if (rate == 0) {
                    Thread.sleep(50);
                    due = System.nanoTime();
                    continue;
                }
                workload.change();
                due += 1_000_000_000L / rate;
                long early = due - System.nanoTime();
                if (early > 1_000_000) {
                    Thread.sleep(early / 1_000_000);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
